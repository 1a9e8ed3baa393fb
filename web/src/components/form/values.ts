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

/** inside is the path of a property. The arguments themselves have no path. */
export function inside(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
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

/** choosing selects a variant: with what was typed in it before, or with its initial value and the fields that it shares. */
export function choosing(v: Value, to: number, variants: Field[], definitions: Field[], item?: boolean): Value {
  const kept = v.variants?.[to] ?? unset;
  if (isSet(kept)) return withVariant(v, to, kept);
  const field = shapeOf(variants[to]!, definitions);
  const start = item ? fresh(field, definitions) : begun(field, definitions);
  const before = variantFields(variants[v.variant ?? 0], definitions);
  const shared = (name?: string) => before.some((a) => a.name === name && field.fields?.some((b) => b.name === name && sameControl(a, b)));
  const items = start.items?.map((own) => (shared(own.name) && isSet(member(chosenOf(v), own.name!)) ? member(chosenOf(v), own.name!) : own));
  return withVariant(v, to, items ? { ...start, items } : start);
}

function variantFields(variant: Field | undefined, definitions: Field[]): Field[] {
  return (variant && shapeOf(variant, definitions).fields) ?? [];
}

// sameControl reports whether a value of one field can be typed in the other.
function sameControl(a: Field, b: Field): boolean {
  const control = ({ kind, nullable, options, fields, items, variants, ref }: Field) => JSON.stringify([kind, nullable, options, fields, items, variants, ref]);
  return control(a) === control(b);
}

/** remembering is a value with what was typed before in the variants that it does not use. */
export function remembering(next: Value, before: Value | undefined): Value {
  if (!before) return next;
  const items = next.items?.map((v, i) => remembering(v, v.name === undefined ? before.items?.[i] : before.items?.findLast((old) => old.name === v.name)));
  if (!next.variants || !before.variants) return items ? { ...next, items } : next;
  const count = Math.max(next.variants.length, before.variants.length);
  const variants = Array.from({ length: count }, (_, i) => {
    const old = before.variants?.[i];
    return i === (next.variant ?? 0) ? remembering(next.variants![i]!, old) : (old ?? unset);
  });
  return { ...next, variants };
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
  return ["list", "rows", "object", "tuple"].includes(field.kind);
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
  if (shape.kind === "object" || shape.kind === "tuple") return created(shape);
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
    case "tuple":
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
