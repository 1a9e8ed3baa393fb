
const errors = new Counter('mcp_errors');
const mixedUp = new Counter('mcp_mixed_up');
const run = Math.floor(Math.random() * 0xffffffff).toString(16).padStart(8, '0');
let session = null; // of this virtual user; modern servers have none

function secrets() {
  const headers = {};
  for (const name in plan.secrets) {
    headers[name] = __ENV[plan.secrets[name]] || '';
  }
  return headers;
}

// open shakes hands with a server of the older era, once for each virtual user.
function open() {
  const headers = Object.assign({ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }, secrets());
  const hello = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: plan.legacy, capabilities: {}, clientInfo: { name: 'mcptest-k6', version: '1' } } };
  const res = http.post(plan.url, JSON.stringify(hello), { headers, tags: { kind: 'open' } });
  headers['Mcp-Protocol-Version'] = plan.legacy;
  session = { 'Mcp-Protocol-Version': plan.legacy };
  for (const name in res.headers) {
    if (name.toLowerCase() === 'mcp-session-id') {
      session['Mcp-Session-Id'] = headers['Mcp-Session-Id'] = res.headers[name];
    }
  }
  http.post(plan.url, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }), { headers, tags: { kind: 'open' } });
}

// answers lists the messages of a response: one of JSON, or those of a stream of events.
function answers(res) {
  const body = String(res.body || '');
  const texts = body.startsWith('{') ? [body] : body.split('\n').filter((line) => line.startsWith('data:')).map((line) => line.slice(5));
  const found = [];
  for (const text of texts) {
    try {
      found.push(JSON.parse(text));
    } catch (e) {
      // what is not JSON is no answer
    }
  }
  return found;
}

export default function () {
  if (plan.legacy && session === null) {
    open();
  }
  const n = exec.scenario.iterationInTest;
  const request = plan.requests[n % plan.requests.length];
  const nonce = 'mcptest' + run + n.toString(16).padStart(8, '0');
  const body = request.body.split('{{id}}').join(String(n + 1)).split('{{nonce}}').join(nonce);
  const headers = Object.assign({}, request.headers, session || {}, secrets());
  const res = http.post(plan.url, body, { headers, tags: { kind: 'call', tool: request.tool } });
  const answer = answers(res).find((m) => m.result !== undefined || m.error !== undefined);
  const good = check(res, { 'answered without an error': () => answer !== undefined && answer.error === undefined && answer.result.isError !== true });
  if (!good) {
    errors.add(1);
  } else if (request.echoes && !JSON.stringify(answer.result).includes(nonce)) {
    mixedUp.add(1);
  }
}
