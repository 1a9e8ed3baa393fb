// The height of a view: what it reports, within limits. A view whose height depends on that of its frame would grow or
// shrink without end; then the height stays.

export const tallest = 4000; // pixels

const changes = 30; // within the period, after which the height stays
const period = 3000; // milliseconds

export class Size {
  height = 0; // 0 until the view reports one
  width = 0;
  reports = 0;
  locked = false; // the height changed too often
  readonly heights: number[] = []; // the last ones
  private times: number[] = [];

  /** report takes a report of the view, and returns whether the height changed. */
  report(params: unknown, now: number): boolean {
    const { width, height } = (params ?? {}) as { width?: unknown; height?: unknown };
    if (!isSize(height) && !isSize(width)) return false;
    this.reports++;
    if (isSize(width)) this.width = width;
    if (!isSize(height)) return false;
    const next = Math.min(tallest, Math.ceil(height));
    if (this.locked || next === this.height) return false;
    this.times = [...this.times.filter((t) => now - t < period), now];
    if (this.times.length > changes) {
      this.locked = true;
      return false;
    }
    this.height = next;
    this.heights.push(next);
    if (this.heights.length > changes) this.heights.shift();
    return true;
  }
}

function isSize(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
