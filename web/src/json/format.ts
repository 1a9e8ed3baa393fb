// JSON with line breaks. Every token is kept verbatim.
import { children, root, type Span } from "./spans";

/** format breaks a text into lines; text that is not JSON is unchanged. */
export function format(text: string): string {
  const top = root(text);
  return top ? write(text, top, "") : text;
}

function write(text: string, span: Span, indent: string): string {
  if (span.kind !== "object" && span.kind !== "array") return text.slice(span.start, span.end);
  const [before, after] = span.kind === "object" ? ["{", "}"] : ["[", "]"];
  const inside = children(text, span);
  if (inside.length === 0) return before + after;
  const deeper = indent + "  ";
  const lines = inside.map((c) => deeper + (c.key === null ? "" : text.slice(c.named, c.namedEnd) + ": ") + write(text, c, deeper));
  return `${before}\n${lines.join(",\n")}\n${indent}${after}`;
}
