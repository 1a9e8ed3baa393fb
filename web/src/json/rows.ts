// The visible rows of a tree, in order.
import { children, content, root, type Child, type Span } from "./spans";

export interface Row {
  id: number; // its start offset in the text, which is unique
  depth: number;
  key: string | null;
  index: number; // among its siblings, for elements of a list
  span: Span;
  line?: string; // a part of a long string, in a separate row
}

const longString = 120;

/** opens reports whether a row can be expanded. */
export function opens(text: string, row: Row): boolean {
  const { kind, start, end } = row.span;
  if (row.line !== undefined) return false;
  if (kind === "object" || kind === "array") return /\S/.test(text.slice(start + 1, Math.min(end - 1, start + 64))) || end - start > 64;
  return kind === "string" && (end - start > longString || text.slice(start, end).includes("\\n"));
}

/** rowsOf lists the visible rows while these IDs are expanded. */
export function rowsOf(text: string, open: ReadonlySet<number>): Row[] {
  const top = root(text);
  if (!top) return [];
  const rows: Row[] = [];
  add(text, open, { ...top, key: null, named: 0, namedEnd: 0, index: -1 }, 0, rows);
  return rows;
}

function add(text: string, open: ReadonlySet<number>, of: Child, depth: number, rows: Row[]): void {
  rows.push({ id: of.start, depth, key: of.key, index: of.index, span: of });
  if (!open.has(of.start)) return;
  if (of.kind === "string") return addLines(content(text.slice(of.start, of.end)), of, depth + 1, rows);
  if (of.kind !== "object" && of.kind !== "array") return;
  for (const child of children(text, of)) add(text, open, child, depth + 1, rows);
}

function addLines(whole: string, of: Span, depth: number, rows: Row[]): void {
  for (const line of whole.split("\n")) {
    for (let at = 0; at === 0 || at < line.length; at += longString) {
      rows.push({ id: -rows.length - 1, depth, key: null, index: -1, span: of, line: line.slice(at, at + longString) });
    }
  }
}

/** firstOpen selects the initially expanded rows: level by level, up to a number of rows. */
export function firstOpen(text: string, most: number): Set<number> {
  const open = new Set<number>();
  const top = root(text);
  let level = top ? [top] : [];
  for (let rows = 1, depth = 0; level.length > 0 && depth < 6; depth++) {
    const next: Span[] = [];
    for (const span of level) {
      if (span.end - span.start > 2_000_000 && depth > 0) continue;
      const inside = children(text, span);
      if (rows + inside.length > most && depth > 0) continue;
      rows += inside.length;
      open.add(span.start);
      next.push(...inside.filter((c) => c.kind === "object" || c.kind === "array"));
    }
    level = next;
  }
  return open;
}
