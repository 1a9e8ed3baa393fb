// Sizes and times as people read them. Times are measured by the Go side; here they are only written.

/** bytes is a size. */
export function bytes(n: number): string {
  if (n < 1000) return `${n} B`;
  if (n < 1_000_000) return `${(n / 1000).toFixed(n < 10_000 ? 1 : 0)} kB`;
  return `${(n / 1_000_000).toFixed(1)} MB`;
}

/** took is a duration, given in nanoseconds. */
export function took(ns: number): string {
  if (ns < 1e6) return `${Math.max(1, Math.round(ns / 1e3))} µs`;
  if (ns < 1e7) return `${(ns / 1e6).toFixed(1)} ms`;
  if (ns < 1e9) return `${Math.round(ns / 1e6)} ms`;
  if (ns < 6e10) return `${(ns / 1e9).toFixed(2)} s`;
  return `${Math.floor(ns / 6e10)} min ${Math.round((ns % 6e10) / 1e9)} s`;
}

/** clock is the time of day to the millisecond. */
export function clock(time: string): string {
  const at = new Date(time);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}

/** offset is how long after another time something was, in seconds. */
export function offset(time: string, since: string): string {
  const seconds = (Date.parse(time) - Date.parse(since)) / 1000;
  return seconds < 1000 ? "+" + seconds.toFixed(3) : "+" + seconds.toFixed(0);
}
