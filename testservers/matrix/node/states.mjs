// The calls that a server process holds, and the options of every TypeScript server of the matrix.
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';

const states = new Map();
const calls = new Map();

// pause waits until the call is cancelled and records that it was.
export async function pause(key, signal) {
    states.set(key, 'running');
    try {
        await sleep(15_000, undefined, { signal });
    } catch (e) {
        states.set(key, 'cancelled');
        throw e;
    }
    states.set(key, 'finished');
    return 'finished';
}

// held waits until the client releases the call.
export async function held(key) {
    const released = call(key).released.then(() => true);
    const expired = sleep(15_000, false, { ref: false });
    if (!(await Promise.race([released, expired]))) throw new Error('the client did not release the call');
}

export function release(key) {
    call(key).release();
    return 'released';
}

function call(key) {
    if (!calls.has(key)) {
        let release;
        const released = new Promise(resolve => (release = resolve));
        calls.set(key, { released, release });
    }
    return calls.get(key);
}

export const state = key => states.get(key) ?? 'unknown';

export const text = text => ({ content: [{ type: 'text', text }] });

// options parses the options, and waits if the server is to start slowly.
export async function options() {
    const { values } = parseArgs({ options: { http: { type: 'string' }, delay: { type: 'string', default: '0' } } });
    await sleep(Number(values.delay) * 1000);
    return { http: values.http && Number(values.http) };
}
