// JSON read as offsets in its text. Nothing is converted, so that numbers are shown verbatim, and only expanded values
// are parsed, so that size does not matter.

export type Kind = "object" | "array" | "string" | "number" | "word";

export interface Span {
  kind: Kind;
  start: number;
  end: number;
}

export interface Child extends Span {
  key: string | null; // the name of a property; null for an element
  named: number; // where the name begins, with its quotes
  namedEnd: number;
  index: number;
}

const space = /[ \t\n\r]*/y;

function skipSpace(text: string, at: number): number {
  space.lastIndex = at;
  space.test(text);
  return space.lastIndex;
}

function stringEnd(text: string, at: number): number {
  for (let quote = text.indexOf('"', at + 1); ; quote = text.indexOf('"', quote + 1)) {
    if (quote < 0) return -1;
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === 92) slashes++;
    if (slashes % 2 === 0) return quote + 1;
  }
}

const interesting = /["{}[\]]/g;

function containerEnd(text: string, at: number): number {
  let depth = 0;
  interesting.lastIndex = at;
  for (let m = interesting.exec(text); m; m = interesting.exec(text)) {
    const c = m[0];
    if (c === '"') {
      const end = stringEnd(text, m.index);
      if (end < 0) return -1;
      interesting.lastIndex = end;
    } else if (c === "{" || c === "[") depth++;
    else if (--depth === 0) return m.index + 1;
  }
  return -1;
}

const scalar = /-?\d[\d.eE+-]*|true|false|null/y;

function valueAt(text: string, at: number): Span | null {
  const start = skipSpace(text, at);
  const c = text[start];
  let end: number;
  if (c === "{" || c === "[") end = containerEnd(text, start);
  else if (c === '"') end = stringEnd(text, start);
  else {
    scalar.lastIndex = start;
    end = scalar.test(text) ? scalar.lastIndex : -1;
  }
  if (end < 0) return null;
  const kind: Kind = c === "{" ? "object" : c === "[" ? "array" : c === '"' ? "string" : /[-\d]/.test(c ?? "") ? "number" : "word";
  return { kind, start, end };
}

/** root is the value of the whole text, or null if it is not one value. */
export function root(text: string): Span | null {
  const span = valueAt(text, 0);
  return span && skipSpace(text, span.end) === text.length ? span : null;
}

/** children are the properties or elements of a value. */
export function children(text: string, of: Span): Child[] {
  const found: Child[] = [];
  let at = skipSpace(text, of.start + 1);
  while (at < of.end - 1) {
    let key: string | null = null;
    const named = at;
    let namedEnd = at;
    if (of.kind === "object") {
      const end = stringEnd(text, at);
      if (end < 0) break;
      key = content(text.slice(at, end));
      namedEnd = end;
      at = skipSpace(text, end) + 1; // the colon
    }
    const value = valueAt(text, at);
    if (!value) break;
    found.push({ ...value, key, named, namedEnd, index: found.length });
    at = skipSpace(text, value.end);
    if (text[at] !== ",") break;
    at = skipSpace(text, at + 1);
  }
  return found;
}

/** content is the decoded text of a JSON string; an invalid string is returned without quotes. */
export function content(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted.slice(1, -1);
  }
}
