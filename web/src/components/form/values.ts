// Editing the value of a form. Go interprets the value; here it is only stored.
import type { Field, Value } from "../../api.gen";

export const unset: Value = { state: "unset" };

/** member finds a property. If a name occurs more than once, the form shows the last one. */
export function member(of: Value | undefined, name: string): Value {
  return of?.items?.findLast((v) => v.name === name) ?? { name, state: "unset" };
}

/** withMember replaces the property with the same name, or appends it. */
export function withMember(of: Value, next: Value): Value {
  const items = of.items ?? [];
  const at = items.findLastIndex((v) => v.name === next.name);
  return { ...of, state: "set", items: at < 0 ? [...items, next] : items.map((v, i) => (i === at ? next : v)) };
}

/** isSet reports whether a value would be sent. */
export function isSet(v: Value): boolean {
  return v.state !== "unset" && v.state !== "";
}

export type Shown = "unset" | "null" | "empty" | "value";

/** shownState is the state that a field shows. */
export function shownState(field: Field, v: Value): Shown {
  if (!isSet(v)) return "unset";
  if (v.state === "null") return "null";
  if (v.state === "raw") return "value";
  const holds = field.kind === "list" || field.kind === "rows" || field.kind === "object";
  if (holds) return (v.items ?? []).some(isSet) ? "value" : "empty";
  return field.kind === "string" && (v.text ?? "") === "" ? "empty" : "value";
}

/** textOf is the text in the box of a single value: the typed text, or JSON of another type, verbatim. */
export function textOf(v: Value): string {
  if (v.state === "raw") return v.json ?? "";
  return v.state === "set" ? (v.text ?? "") : "";
}

/** typed is the value of a field after user input. */
export function typed(v: Value, text: string): Value {
  return { ...v, state: "set", text };
}

/** fresh is a new item of a list or of rows. */
export function fresh(field: Field): Value {
  if (field.kind === "rows") return { state: "set", items: [] };
  const item = field.items;
  if (item?.kind === "boolean") return { state: "set", text: "false" };
  if (item?.kind === "enum") return { state: "set", text: item.options?.[0]?.text ?? "" };
  if (item?.kind === "null") return { state: "null" };
  if (item?.kind === "object") return { state: "set", items: [] };
  return { state: "set", text: "" };
}
