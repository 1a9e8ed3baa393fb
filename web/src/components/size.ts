// Human-readable sizes and durations.

export function bytes(n: number): string {
  if (n >= 1 << 20) return (n / (1 << 20)).toFixed(1) + " MiB";
  if (n >= 1 << 10) return (n / (1 << 10)).toFixed(1) + " KiB";
  return n === 1 ? "1 byte" : `${n} bytes`;
}

export function duration(ns: number): string {
  if (ns < 1e6) return (ns / 1e3).toFixed(0) + " µs";
  if (ns < 1e7) return (ns / 1e6).toFixed(1) + " ms";
  if (ns < 1e9) return (ns / 1e6).toFixed(0) + " ms";
  return (ns / 1e9).toFixed(ns < 1e10 ? 2 : 1) + " s";
}

export function clock(time: string): string {
  return new Date(time).toLocaleTimeString(undefined, { hour12: false });
}

export function plural(n: number, one: string, many = one + "s"): string {
  return `${n} ${n === 1 ? one : many}`;
}
