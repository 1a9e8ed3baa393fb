// The module k6/http: requests that block, as those of k6 do. A thread of its own makes them.
import { MessageChannel, Worker, receiveMessageOnPort } from 'node:worker_threads';

const answered = new Int32Array(new SharedArrayBuffer(4));
const { port1, port2 } = new MessageChannel();
const sender = `
const { port, answered } = require('node:worker_threads').workerData;
port.on('message', async ({ url, body, headers }) => {
  let reply;
  try {
    const res = await fetch(url, { method: 'POST', body, headers });
    reply = { status: res.status, headers: Object.fromEntries(res.headers), body: await res.text() };
  } catch (e) {
    reply = { status: 0, headers: {}, body: null, error: String(e) };
  }
  port.postMessage(reply);
  Atomics.store(answered, 0, 1);
  Atomics.notify(answered, 0);
});`;
new Worker(sender, { eval: true, workerData: { port: port2, answered }, transferList: [port2] }).unref();

export const requests = [];

function post(url, body, params) {
  requests.push({ url, body, headers: params.headers, tags: params.tags });
  Atomics.store(answered, 0, 0);
  port1.postMessage({ url, body, headers: params.headers });
  if (Atomics.wait(answered, 0, 0, 60000) === 'timed-out') throw new Error('no answer from ' + url);
  return receiveMessageOnPort(port1).message;
}

export default { post };
