// Editing the value of a form. What a value comes to is for Go to say; here it is only put in its place.
import type { Field, Value } from "../../api.gen";

export const unset: Value = { state: "unset" };

/** member finds a property. Of a name that stands there more than once, the last is the one that the form shows. */
export function member(of: Value | undefined, name: string): Value {
  return of?.items?.findLast((v) => v.name === name) ?? { name, state: "unset" };
}

/** withMember puts a property in the place of the one with its name, else at the end. */
export function withMember(of: Value, next: Value): Value {
  const items = of.items ?? [];
  const at = items.findLastIndex((v) => v.name === next.name);
  return { ...of, state: "set", items: at < 0 ? [...items, next] : items.map((v, i) => (i === at ? next : v)) };
}

/** isSet tells whether a value would be sent. */
export function isSet(v: Value): boolean {
  return v.state !== "unset" && v.state !== "";
}

export type Shown = "unset" | "null" | "empty" | "value";

/** shownState is what a field says about itself. */
export function shownState(field: Field, v: Value): Shown {
  if (!isSet(v)) return "unset";
  if (v.state === "null") return "null";
  if (v.state === "raw") return "value";
  const holds = field.kind === "list" || field.kind === "rows" || field.kind === "object";
  if (holds) return (v.items ?? []).some(isSet) ? "value" : "empty";
  return field.kind === "string" && (v.text ?? "") === "" ? "empty" : "value";
}

/** textOf is what the box of a single value holds: what was typed, or JSON that does not fit the field, as it is. */
export function textOf(v: Value): string {
  if (v.state === "raw") return v.json ?? "";
  return v.state === "set" ? (v.text ?? "") : "";
}

/** typed is the value of a field after a person typed. */
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
