// The module k6, as far as the scripts of mcptest load use it.
export const checks = {};

export function check(value, tests) {
  let all = true;
  for (const [name, holds] of Object.entries(tests)) {
    const ok = Boolean(holds(value));
    const counted = (checks[name] ??= { passed: 0, failed: 0 });
    counted[ok ? 'passed' : 'failed']++;
    all &&= ok;
  }
  return all;
}

export function sleep() {}
