// One field: its name, its type, its state, its control and its problem.
import type { Field, Limits, Value } from "../../api.gen";
import { Markdown } from "../markdown";
import { Segments, type Segment } from "../segments";
import { Control } from "./control";
import type { Context } from "./form";
import { fresh, shownState } from "./values";

export interface FieldProps {
  field: Field;
  path: string;
  value: Value;
  onChange: (next: Value) => void;
  context: Context;
}

export function FieldBox(props: FieldProps) {
  const { field, path, value, context } = props;
  const state = shownState(field, value);
  const problem = context.problems.get(path);
  const control = `${context.id}-${path}`;
  return (
    <div class="field" data-path={path} data-state={state} data-kind={field.kind}>
      <div class="field-head">
        <label class="field-label" for={control} id={control + "-label"}>{field.label}</label>
        {field.label !== field.name && <code class="faint cut">{field.name}</code>}
        {field.required && <span class="required" title="required">required</span>}
        <span class="field-type faint cut" title={typeOf(field)}>{typeOf(field)}</span>
        <States {...props} />
      </div>
      <Control {...props} />
      {problem && <p class={"problem" + (state === "unset" ? " quiet" : "")} id={control + "-problem"} role={state === "unset" ? undefined : "alert"}>{problem}</p>}
      {field.description && <div class="field-doc"><Markdown text={field.description} /></div>}
    </div>
  );
}

/** typeOf is a short text with the type and the limits. */
export function typeOf(field: Field): string {
  const limits = field.limits ? bounds(field.limits) : [];
  const inner = field.kind === "list" && field.items ? " of " + field.items.kind : "";
  const format = field.format && field.format !== "multiline" ? [field.format] : [];
  const kind = field.kind === "rows" ? "list of objects" : field.kind;
  return [kind + inner, ...format, ...limits, ...(field.default !== undefined ? ["default " + field.default] : [])].join(" · ");
}

function bounds(l: Limits): string[] {
  const between = (low?: string, high?: string) => (low && high ? `${low} to ${high}` : low ? `≥ ${low}` : high ? `≤ ${high}` : "");
  const named = (name: string, range: string) => (range === "" ? "" : `${name} ${range}`);
  return [
    between(l.minimum, l.maximum), named(">", l.exclusiveMinimum ?? ""), named("<", l.exclusiveMaximum ?? ""), named("multiple of", l.multipleOf ?? ""),
    named("length", between(l.minLength, l.maxLength)), named("items", between(l.minItems, l.maxItems)), l.uniqueItems ? "unique" : "", named("pattern", l.pattern ?? ""),
  ].filter((s) => s !== "");
}

function segmentsOf(field: Field): Segment[] {
  const all: Segment[] = [{ value: "unset", text: "unset", title: "Omit from request" }];
  if (field.nullable || field.kind === "null") all.push({ value: "null", text: "null", title: "Send null" });
  if (field.kind === "string") all.push({ value: "empty", text: "empty", title: 'Send ""' });
  if (field.kind === "list" || field.kind === "rows") all.push({ value: "empty", text: "empty", title: "Send []" });
  if (field.kind === "object") all.push({ value: "empty", text: "empty", title: "Send {}" });
  if (field.kind !== "null") all.push({ value: "value", text: "value", title: "Send a value" });
  return all;
}

// inGroup is the first input of the object that a label names.
function inGroup(label: string): HTMLElement | null {
  return document.getElementById(label)?.closest(".field")?.querySelector<HTMLElement>(".group :is(input, textarea, select)") ?? null;
}

function States({ field, path, value, onChange, context }: FieldProps) {
  const choose = (to: string) => {
    const focus = () => (document.getElementById(`${context.id}-${path}`) ?? inGroup(`${context.id}-${path}-label`))?.focus();
    if (to === "unset") onChange({ ...value, state: "unset", json: undefined });
    else if (to === "null") onChange({ ...value, state: "null" });
    else if (to === "empty") onChange({ name: value.name, state: "set", text: "", items: [] });
    else if (field.kind === "list" || field.kind === "rows") onChange({ ...value, state: "set", items: value.items?.length ? value.items : [fresh(field)] });
    else if (field.kind === "boolean") onChange({ ...value, state: "set", text: value.text || "false" });
    else if (field.kind === "object" && field.open && !value.items?.length) onChange({ ...value, state: "set", items: [{ name: "", state: "set", text: "" }] });
    else if (value.text || value.items?.length) onChange({ ...value, state: "set" });
    else focus();
  };
  return <Segments label={"State of " + path} segments={segmentsOf(field)} value={shownState(field, value)} onChange={choose} />;
}
