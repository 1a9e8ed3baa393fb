// Formats of sizes and times in the timeline. They are measured by the Go side.

/** weight is a size, short enough for the column. */
export function weight(n: number): string {
  if (n < 1 << 10) return `${n} B`;
  if (n < 1 << 20) return `${(n / (1 << 10)).toFixed(n < 10 << 10 ? 1 : 0)} KiB`;
  return `${(n / (1 << 20)).toFixed(1)} MiB`;
}

/** exactly is the time of day, with milliseconds. */
export function exactly(time: string): string {
  const at = new Date(time);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}

/** offset is the time since another time, in seconds. */
export function offset(time: string, since: string): string {
  const seconds = (Date.parse(time) - Date.parse(since)) / 1000;
  return seconds < 1000 ? "+" + seconds.toFixed(3) : "+" + seconds.toFixed(0);
}
