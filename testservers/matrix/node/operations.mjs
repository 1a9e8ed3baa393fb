// The operations that every TypeScript client of the matrix runs. README.md describes the job and the output.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const timeout = 60_000; // per operation
const lost = 10_000; // until a notification counts as lost

export const job = () => JSON.parse(process.argv[2]);

export const emit = line => console.log(JSON.stringify(line));

// run runs all operations against each server of the job. client adapts one SDK.
export async function run(client, job) {
    emit({ op: 'connect', got: client.revision() });
    for (const [op, args] of job.calls ?? []) {
        try {
            emit({ op, got: await client.call(op, args) });
        } catch (e) {
            console.error(e);
            emit({ op, error: `${e.name}: ${e.message}` });
        }
    }
    for (const [op, args] of job.invocations ?? []) {
        try {
            emit({ op, ...(await client.result(op, args)) });
        } catch (e) {
            console.error(e);
            emit({ op, error: `${e.name}: ${e.message}` });
        }
    }
    if (job.cancel_through) emit({ op: 'cancel', got: await cancelThrough(client, ...job.cancel_through) });
    for (const server of job.servers) {
        for (const [op, operation] of Object.entries(operations)) {
            if (job.skip?.includes(`${server}/${op}`)) continue;
            try {
                const limit = AbortSignal.timeout(timeout);
                const expired = new Promise((_, reject) => {
                    limit.onabort = () => reject(new Error('timeout'));
                });
                emit({ server, op, got: await Promise.race([operation(client, names(server)), expired]) });
            } catch (e) {
                console.error(e);
                emit({ server, op, error: `${e.name}: ${e.message}` });
            }
        }
    }
}

// names are those of one server's tools, prompts and resources: its own, or those that the gateway assigns.
function names(server) {
    const prefix = server ? `${server}__` : '';
    return { prefix, fragment: server ? `#gateway=${server}` : '', of: name => prefix + name };
}

const operations = {
    async list(client, n) {
        const tools = await client.tools();
        return tools
            .filter(t => t.startsWith(n.prefix))
            .map(t => t.slice(n.prefix.length))
            .sort()
            .join(' ');
    },
    call: (client, n) => client.call(n.of('echo'), { text: 'grün 1' }),
    // progress holds the response back until the notifications have arrived: the SDKs drop those that arrive together with it.
    async progress(client, n) {
        const key = randomUUID();
        const seen = [];
        let complete;
        const completed = new Promise(resolve => (complete = resolve));
        const onprogress = p => {
            seen.push(`${p.progress}/${p.total}`);
            if (p.progress === p.total) complete();
        };
        const count = client.call(n.of('count'), { steps: 3, key }, { onprogress });
        await Promise.race([completed, count, sleep(lost, undefined, { ref: false })]);
        await client.call(n.of('release'), { key });
        return [...seen, await count].join(' ');
    },
    async cancel(client, n) {
        const key = randomUUID();
        const abort = new AbortController();
        const pause = client.call(n.of('pause'), { key }, { signal: abort.signal }).catch(() => {});
        await until(client, n, key, 'running');
        abort.abort('enough');
        await pause;
        return until(client, n, key, 'cancelled');
    },
    resource: (client, n) => client.read(`matrix://note${n.fragment}`),
    prompt: (client, n) => client.prompt(n.of('greet'), { name: 'Ada' }),
    elicitation: (client, n) => client.call(n.of('ask'), {}),
    sampling: (client, n) => client.call(n.of('sample'), {})
};

// cancelThrough cancels a call of a tool that calls pause.
async function cancelThrough(client, tool, server) {
    const key = randomUUID();
    const n = names(server);
    const abort = new AbortController();
    const pause = client.call(tool, { name: n.of('pause'), arguments: { key } }, { signal: abort.signal }).catch(() => {});
    await until(client, n, key, 'running');
    abort.abort('enough');
    await pause;
    return until(client, n, key, 'cancelled');
}

// until polls the state of a pause and returns the last one seen.
async function until(client, n, key, want) {
    for (let waited = 0; ; waited += 50) {
        const state = await client.call(n.of('state'), { key });
        if (state === want || waited >= lost) return state;
        await sleep(50);
    }
}

// elicited is the answer to an elicitation.
export const elicited = ({ message }) => ({
    action: 'accept',
    content: { color: message === 'Which color?' ? 'blue' : 'unknown question' }
});

// sampled is the answer to a sampling request.
export function sampled({ messages }) {
    const content = [messages[0].content].flat()[0];
    const text = content.text === 'Say hi' ? 'model: hi' : 'unknown question';
    return { role: 'assistant', model: 'm', content: { type: 'text', text } };
}
