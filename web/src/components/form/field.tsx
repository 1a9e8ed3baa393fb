// One field: its name, its type, its state, its control and its problem.
import { useState } from "preact/hooks";
import type { Field, Limits, Value } from "../../api.gen";
import { Markdown } from "../markdown";
import { Segments, type Segment } from "../segments";
import { plural } from "../size";
import { Control } from "./control";
import type { Context } from "./form";
import { Fold } from "./fold";
import { problemAt } from "./items";
import { begun, chosenOf, created, fresh, holds, isSet, shapeOf, shownState, variantOf, withVariant } from "./values";

export interface FieldProps {
  field: Field;
  path: string;
  value: Value;
  onChange: (next: Value) => void;
  context: Context;
  item?: boolean; // of a list or of free properties: it has no state
  position?: boolean; // of a tuple: its name is its position
}

export function FieldBox(given: FieldProps) {
  const { path, value, context } = given;
  const field = shapeOf(given.field, context.definitions);
  const state = shownState(field, value, context.definitions);
  const problem = problemAt(context, path);
  const remark = context.remarks.get(path);
  const control = `${context.id}-${path}`;
  const foldable = folds(variantOf(field, value, context.definitions), value);
  const near = !given.field.ref && (field.required || field.kind === "union" || !/[.[]/.test(path)); // a reference may never end
  const [unfolded, setUnfolded] = useState(near || value.state === "set");
  const onChange = (next: Value) => {
    if (next.variant !== value.variant || (next.items?.length ?? 0) > (value.items?.length ?? 0)) setUnfolded(true); // what was added is shown
    given.onChange(next);
  };
  const props = { ...given, field, onChange };
  const open = unfolded || !foldable;
  return (
    <div class="field" data-path={path} data-state={state} data-kind={field.kind}>
      <div class="field-head">
        {foldable ? <Fold open={open} onToggle={() => setUnfolded(!unfolded)} id={control + "-label"}><span class="field-label">{field.label || '""'}</span></Fold>
          : <label class="field-label" for={control} id={control + "-label"}>{field.label || '""'}</label>}
        {field.label !== field.name && !given.position && <code class="faint cut">{field.name}</code>}
        {field.required && !given.position && <span class="required" title="required">required</span>}
        <span class="field-type faint cut" title={typeOf(field)}>{typeOf(field)}</span>
        {!open && <Folded value={value} problems={[...context.problems.keys()].filter((at) => at.startsWith(path + ".") || at.startsWith(path + "[")).length} />}
        <States {...props} onOpen={() => setUnfolded(true)} />
      </div>
      {open && <Control {...props} />}
      {problem && <p class={"problem" + (state === "unset" ? " quiet" : "")} id={control + "-problem"} role={state === "unset" ? undefined : "alert"}>{problem}</p>}
      {remark && !problem && <p class="remark">{remark}</p>}
      {field.description && <div class="field-doc"><Markdown text={field.description} /></div>}
    </div>
  );
}

// folds reports whether a field has a content that can be folded.
function folds(field: Field, value: Value): boolean {
  return field.kind === "object" || (holds(field) && field.kind !== "tuple" && (value.items?.length ?? 0) > 0);
}

// Folded is what a folded group contains, and how many of its fields have problems.
function Folded({ value, problems }: { value: Value; problems: number }) {
  const items = (value.state === "set" ? (value.variants ? chosenOf(value) : value).items : undefined) ?? [];
  const count = items.filter(isSet).length;
  return (
    <span class="faint small">
      {count > 0 ? `${count} set` : ""}{problems > 0 && <span class="problem"> {plural(problems, "field")} to check</span>}
    </span>
  );
}

/** typeOf is a short text with the type and the limits. */
export function typeOf(field: Field): string {
  const limits = field.limits && field.kind !== "tuple" ? bounds(field.limits) : [];
  const inner = field.kind === "tuple" ? " of " + (field.fields?.length ?? 0) : field.kind === "list" && field.items ? " of " + (words[field.items.kind] ?? field.items.kind) : "";
  const format = field.format && field.format !== "multiline" ? [field.format] : [];
  const map = field.kind === "object" && field.open && !field.fields?.length;
  const kind = map ? "map" : field.reason ? "JSON" : (words[field.kind] ?? field.kind);
  return [kind + inner, ...format, ...limits, ...(field.default !== undefined ? ["default " + field.default] : [])].join(" · ");
}

// words name kinds that the schema has no word for.
const words: Record<string, string> = { rows: "list of objects", json: "any value", union: "variants" };

const safe = /^-?9007199254740991$/; // a limit of the language of the server, not of the tool

function bounds(given: Limits): string[] {
  const l = Object.fromEntries(Object.entries(given).filter(([, limit]) => !safe.test(String(limit)))) as Limits;
  const between = (low?: string, high?: string) => (low && low === high ? low : low && high ? `${low} to ${high}` : low ? `≥ ${low}` : high ? `≤ ${high}` : "");
  const named = (name: string, range: string) => (range === "" ? "" : `${name} ${range}`);
  return [
    between(l.minimum, l.maximum), named(">", l.exclusiveMinimum ?? ""), named("<", l.exclusiveMaximum ?? ""), named("multiple of", l.multipleOf ?? ""),
    named("length", between(l.minLength, l.maxLength)), named("items", between(l.minItems, l.maxItems)), l.uniqueItems ? "unique" : "", named("pattern", l.pattern ?? ""),
  ].filter((s) => s !== "");
}

function segmentsOf(field: Field, variant: Field): Segment[] {
  const all: Segment[] = [{ value: "unset", text: "unset", title: "Omit from request" }];
  if (field.nullable || variant.nullable || field.kind === "null") all.push({ value: "null", text: "null", title: "Send null" });
  if (variant.kind === "string") all.push({ value: "empty", text: "empty", title: 'Send ""' });
  if (variant.kind === "list" || variant.kind === "rows") all.push({ value: "empty", text: "empty", title: "Send []" });
  if (variant.kind === "object") all.push({ value: "empty", text: "empty", title: "Send {}" });
  if (field.kind !== "null") all.push({ value: "value", text: "value", title: "Send a value" });
  return all;
}

// inGroup is the first input of the object that a label names.
function inGroup(label: string): HTMLElement | null {
  return document.getElementById(label)?.closest(".field")?.querySelector<HTMLElement>(":is(.group, .union) :is(input, textarea, select)") ?? null;
}

function States({ field, path, value, onChange, context, onOpen }: FieldProps & { onOpen: () => void }) {
  const variant = variantOf(field, value, context.definitions);
  const put = (next: Value) => onChange(field.kind === "union" ? withVariant(value, value.variant ?? 0, next) : next);
  const choose = (to: string) => {
    const inner = field.kind === "union" ? chosenOf({ ...value, state: "set" }) : value;
    if (to === "unset") return onChange({ ...value, state: "unset", json: undefined });
    if (to === "null") return onChange({ ...value, state: "null" });
    onOpen();
    if (to === "empty") return put({ name: value.name, state: "set", text: "", items: [] });
    const start = started(variant, inner, context);
    if (start) return put(start);
    requestAnimationFrame(() => (document.getElementById(`${context.id}-${path}`) ?? inGroup(`${context.id}-${path}-label`))?.focus());
  };
  return <Segments label={"State of " + path} segments={segmentsOf(field, variant)} value={shownState(field, value, context.definitions)} onChange={choose} />;
}

// started is the value of a field for which the user wants one; null if it has to be typed.
function started(field: Field, value: Value, { definitions }: Context): Value | null {
  if (value.text || value.items?.some(isSet)) return { ...value, state: "set" };
  const item = field.kind === "rows" ? { ...field, kind: "object" } : field.items;
  if (field.kind === "list" || field.kind === "rows") return { ...value, state: "set", items: [fresh(item, definitions)] };
  if (field.kind === "boolean") return { ...value, state: "set", text: "false" };
  if (field.kind === "object" && field.open && !field.fields?.length) return { ...value, state: "set", items: [{ ...fresh(item, definitions), name: "" }] };
  if (field.kind === "object" || field.kind === "tuple") return created(field).items?.some(isSet) ? { ...created(field), name: value.name } : null;
  const start = begun(field, definitions);
  return isSet(start) ? { ...start, name: value.name } : null;
}
