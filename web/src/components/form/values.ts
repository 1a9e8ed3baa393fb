// Editing the value of a form. Go interprets the value; here it is only stored.
import type { Field, Value } from "../../api.gen";

export const unset: Value = { state: "unset" };

/** shapeOf is a field with its structure, which is in a definition if it contains itself. */
export function shapeOf(field: Field, definitions: Field[]): Field {
  const target = field.ref ? definitions.find((d) => d.name === field.ref) : undefined;
  if (!target) return field;
  const { kind, fields, items, variants, open } = target;
  return { ...field, kind, fields, items, variants, open, ref: undefined };
}

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

/** chosenOf is the value in the chosen variant of a union, unset while the union is. */
export function chosenOf(v: Value): Value {
  const inner = v.variants?.[v.variant ?? 0] ?? unset;
  return v.state === "set" ? inner : { ...inner, state: "unset" };
}

/** variantOf is the chosen variant of a union; any other field is returned unchanged. */
export function variantOf(field: Field, v: Value, definitions: Field[]): Field {
  const variant = field.kind === "union" ? field.variants?.[v.variant ?? 0] : undefined;
  return variant ? shapeOf(variant, definitions) : field;
}

/** withVariant selects a variant and its value. The values of the others are kept. */
export function withVariant(v: Value, at: number, next: Value): Value {
  const variants = [...(v.variants ?? [])];
  while (variants.length <= at) variants.push(unset);
  variants[at] = next;
  return { name: v.name, state: isSet(next) ? "set" : "unset", variant: at, variants };
}

export type Shown = "unset" | "null" | "empty" | "value";

/** shownState is the state that a field shows. */
export function shownState(field: Field, v: Value, definitions: Field[]): Shown {
  if (!isSet(v)) return "unset";
  if (v.state === "null") return "null";
  if (v.state === "raw") return "value";
  if (field.kind === "union") return shownState(variantOf(field, v, definitions), chosenOf(v), definitions);
  if (holds(field)) return (v.items ?? []).some(isSet) ? "value" : "empty";
  return field.kind === "string" && (v.text ?? "") === "" ? "empty" : "value";
}

/** holds reports whether the value of a field consists of other values. */
export function holds(field: Field): boolean {
  return field.kind === "list" || field.kind === "rows" || field.kind === "object";
}

/** textOf is the text in the box of a single value: the typed text, or JSON of another type, verbatim. */
export function textOf(v: Value): string {
  if (v.state === "raw") return v.json ?? "";
  return v.state === "set" ? (v.text ?? "") : "";
}

/** typed is the value of a field after user input. A cleared field is unset; a text item of a list stays, as "". */
export function typed(v: Value, text: string, keepEmpty = false): Value {
  return text === "" && !keepEmpty ? { name: v.name, state: "unset" } : { ...v, state: "set", text };
}

/** created is the value of an object when it is set for the first time: constants and defaults are filled in. */
export function created(field: Field): Value {
  return { state: "set", items: (field.fields ?? []).map((f) => f.initial ?? { name: f.name, state: "unset" }) };
}

/** begun is the value of a variant that was just chosen: only what needs no input is set. */
export function begun(field: Field, definitions: Field[]): Value {
  const shape = shapeOf(field, definitions);
  if (shape.kind === "object") return created(shape);
  if (shape.kind === "null") return { state: "null" };
  if (shape.kind === "enum" && shape.options?.length === 1) return { state: "set", text: shape.options[0]!.text };
  return unset;
}

/** fresh is a new item of a list, or a new property of an object with free names. */
export function fresh(item: Field | undefined, definitions: Field[]): Value {
  const shape = item && shapeOf(item, definitions);
  switch (shape?.kind) {
    case "boolean":
      return { state: "set", text: "false" };
    case "enum":
      return { state: "set", text: shape.options?.[0]?.text ?? "" };
    case "null":
      return { state: "null" };
    case "object":
      return created(shape);
    case "list":
    case "rows":
      return { state: "set", items: [] };
    case "string":
      return { state: "set", text: "" };
    case "union":
      return withVariant(unset, 0, shape.variants?.[0]?.kind === "union" ? unset : fresh(shape.variants?.[0], definitions));
    default:
      return unset;
  }
}
