// The scenarios that the TypeScript clients of TestResilience run. README.md describes the job and the output.
import { emit } from './operations.mjs';

// run runs all scenarios of the job at once. connect opens a session with one SDK.
export const run = (job, connect) => Promise.all(job.scenarios.map(s => runScenario(s, connect)));

async function runScenario(scenario, connect) {
    let client = await connect(scenario);
    const steps = {
        call: async (text, limit) => client.call({ message: text }, limit && Number(limit)),
        close: async () => client.close(),
        connect: async () => void (client = await connect(scenario))
    };
    for (const step of scenario.steps) {
        const [what, ...args] = step.split(' ');
        try {
            emit({ server: scenario.name, op: step, got: (await steps[what](...args)) ?? 'done' });
        } catch (e) {
            emit({ server: scenario.name, op: step, error: `${e.name}: ${e.message}` });
        }
    }
}
