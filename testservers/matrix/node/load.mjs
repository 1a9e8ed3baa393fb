// The calls that the TypeScript clients of TestReplicas make. README.md describes the job and the output.
import { setTimeout as sleep } from 'node:timers/promises';
import { emit } from './operations.mjs';

const question = 'Which key? ';

export const answer = params => ({ action: 'accept', content: { key: params.message.slice(question.length) } });

const now = () => Date.now() / 1000;

// load calls tools at a rate. connect opens a session with one SDK.
export async function load(job, connect) {
    const end = now() + job.seconds;
    await Promise.all(Array.from({ length: job.workers }, (_, number) => worker(job, number, end, connect)));
}

// worker calls tools one after the other. After an error it connects again.
async function worker(job, number, end, connect) {
    for (let n = 0; now() < end; ) {
        let session;
        try {
            session = await connect(job);
        } catch (e) {
            emit({ op: 'connect', error: `${e.name}: ${e.message}`, end: now() });
            await sleep(100);
            continue;
        }
        for (let failed = false; now() < end && !failed; n++) {
            const line = { op: job.tools[n % job.tools.length], key: `${job.name}-${number}-${n}`, start: now() };
            try {
                const result = await session.call(line.op, { key: line.key });
                if (result.isError) throw new Error(`isError: ${result.content[0].text}`);
                emit({ ...line, end: now(), got: result.content[0].text });
            } catch (e) {
                failed = true;
                emit({ ...line, end: now(), error: `${e.name}: ${e.message}` });
            }
            await sleep(Math.max(0, (line.start + job.workers / job.rate - now()) * 1000));
        }
        await session.close().catch(() => {});
    }
}
