// The rows of the timeline: frames, and between them what the process wrote to its standard error.
import type { Frame, StderrLine } from "../../api.gen";

export type Row = Frame | StderrLine;

/** isFrame tells a frame from a line of standard error. */
export function isFrame(row: Row): row is Frame {
  return "seq" in row;
}

/** keyOf names a row, in the address too: the number of a frame, or e and the number of a line. */
export function keyOf(row: Row): string {
  return isFrame(row) ? String(row.seq) : "e" + row.n;
}

/** woven puts each line behind the frame that it came after. */
export function woven(frames: readonly Frame[], lines: readonly StderrLine[]): readonly Row[] {
  if (lines.length === 0) return frames;
  const rows: Row[] = [];
  let next = 0;
  for (const frame of frames) {
    while (next < lines.length && lines[next]!.after < frame.seq) rows.push(lines[next++]!);
    rows.push(frame);
  }
  return rows.concat(lines.slice(next));
}

/** around are the lines that stand together with one, without a frame between them. */
export function around(lines: readonly StderrLine[], n: number): StderrLine[] {
  const one = lines.find((l) => l.n === n);
  return one ? lines.filter((l) => l.after === one.after) : [];
}
