const errors = new Counter('mcp_errors');
const failed = new Rate('mcp_failed');
const mixedUp = new Counter('mcp_mixed_up');
const run = Math.floor(Math.random() * 0xffffffff).toString(16).padStart(8, '0'); // of this virtual user
let session = null; // of this virtual user, if the server has sessions

// wanted returns a value that must not be in a file.
function wanted(name) {
  if (!__ENV[name]) {
    throw new Error('the variable ' + name + ' is not set; run: k6 run -e ' + name + '=…');
  }
  return __ENV[name];
}

function post(body, more, kind) {
  const headers = Object.assign({ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }, more, session || {}, given);
  return http.post(url, body, { headers, tags: { kind } });
}

// answers lists the messages of an HTTP response: a single JSON message, or those of an event stream.
function answers(res) {
  const body = String(res.body || '').trim();
  const texts = body.startsWith('{') ? [body] : body.split(/\r?\n\r?\n/).map((event) =>
    event.split(/\r?\n/).filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trim()).join('\n'));
  const found = [];
  for (const text of texts) {
    try {
      found.push(JSON.parse(text));
    } catch (e) {
      // not JSON, so not a response
    }
  }
  return found.filter((m) => m !== null && typeof m === 'object' && (m.result !== undefined || m.error !== undefined));
}

// open performs the handshake of revisions up to 2025-11-25, once per virtual user.
function open() {
  const hello = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: legacy, capabilities: {}, clientInfo: { name: 'mcptest-k6', version: '1' } } };
  const res = post(JSON.stringify(hello), {}, 'open');
  const answer = answers(res).find((m) => m.id === 0);
  if (!check(answer, { 'session opened': (m) => m !== undefined && m.result !== undefined })) {
    return false;
  }
  session = { 'Mcp-Protocol-Version': answer.result.protocolVersion };
  for (const name in res.headers) {
    if (name.toLowerCase() === 'mcp-session-id') {
      session['Mcp-Session-Id'] = res.headers[name];
    }
  }
  post(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }), {}, 'open');
  return true;
}

export default function () {
  const n = exec.scenario.iterationInTest;
  if (legacy && session === null && !open()) {
    failed.add(true);
    errors.add(1);
    return;
  }
  const call = calls[turns[n % turns.length]];
  const nonce = 'mcptest' + run + n.toString(16).padStart(8, '0');
  const res = post(call.body(n + 1, nonce), call.headers(nonce), 'call');
  if (res.status === 404 && session !== null) {
    session = null; // the server has deleted it: the next call opens another
  }
  const answer = answers(res).find((m) => m.id === n + 1);
  const good = check(answer, {
    'response has the id of its call': (m) => m !== undefined,
    'response is not an error': (m) => m !== undefined && m.error === undefined && m.result.isError !== true,
  });
  let belongs = true;
  if (good && call.echoes) {
    belongs = check(answer, { 'response has the nonce of its call': (m) => JSON.stringify(m.result).includes(nonce) });
    mixedUp.add(belongs ? 0 : 1);
  }
  failed.add(!good || !belongs);
  errors.add(good && belongs ? 0 : 1);
}
