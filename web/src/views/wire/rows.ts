// The rows of the timeline: frames, and the stderr of the process between them.
import type { Frame, StderrLine } from "../../api.gen";

export type Row = Frame | StderrLine;

/** isFrame distinguishes a frame from a line of stderr. */
export function isFrame(row: Row): row is Frame {
  return "seq" in row;
}

/** keyOf is the key of a row, also in the URL: the number of a frame, or e and the number of a line. */
export function keyOf(row: Row): string {
  return isFrame(row) ? String(row.seq) : "e" + row.n;
}

/** mergeRows inserts each line after the frame that precedes it. */
export function mergeRows(frames: readonly Frame[], lines: readonly StderrLine[]): readonly Row[] {
  if (lines.length === 0) return frames;
  const rows: Row[] = [];
  let next = 0;
  for (const frame of frames) {
    while (next < lines.length && lines[next]!.after < frame.seq) rows.push(lines[next++]!);
    rows.push(frame);
  }
  return rows.concat(lines.slice(next));
}

/** contextLines returns the lines adjacent to one, without a frame between them. */
export function contextLines(lines: readonly StderrLine[], n: number): StderrLine[] {
  const one = lines.find((l) => l.n === n);
  return one ? lines.filter((l) => l.after === one.after) : [];
}
