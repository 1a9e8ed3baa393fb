// Runs a script as k6 would, with one virtual user: node run.mjs SCRIPT ITERATIONS. Variables of k6 are those of the process.
import { resolve } from 'node:path';
import { checks } from 'k6';
import exec from 'k6/execution';
import { requests } from 'k6/http';
import { metrics } from 'k6/metrics';

globalThis.__ENV = process.env;
const script = await import(resolve(process.argv[2]));
for (let n = 0; n < Number(process.argv[3]); n++) {
  exec.scenario.iterationInTest = n;
  script.default();
}
console.log(JSON.stringify({ options: script.options, checks, metrics, requests }));
