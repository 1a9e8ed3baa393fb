// A form described by Go. It keeps typed text verbatim; states and problems of fields come from Go.
import { Component } from "preact";
import { useId, useRef } from "preact/hooks";
import type { Field, FieldState, Form, Value } from "../../api.gen";
import { Markdown } from "../markdown";
import { FieldBox, type FieldProps } from "./field";
import { OpenMembers } from "./group";
import { VariantPicker } from "./union";
import { choosing, chosenOf, isSet, member, shapeOf, withMember, withVariant } from "./values";

interface Props {
  form: Form;
  value: Value;
  states: FieldState[];
  onChange: (next: Value) => void;
}

/** Context is the data that all fields share. */
export interface Context {
  id: string;
  problems: Map<string, string>;
  remarks: Map<string, string>;
  definitions: Field[];
}

export function FormFields({ form, value, states, onChange }: Props) {
  const id = useId();
  const problems = new Map(states.filter((s) => s.problem).map((s) => [s.path, s.problem!]));
  const remarks = new Map(states.filter((s) => s.remark).map((s) => [s.path, s.remark!]));
  const context: Context = { id, problems, remarks, definitions: form.definitions ?? [] };
  if (form.variants) return <RootVariants variants={form.variants} value={value} context={context} onChange={onChange} />;
  return <Properties fields={form.fields} items={form.items} value={value} context={context} onChange={onChange} />;
}

interface RootProps {
  value: Value;
  context: Context;
  onChange: (next: Value) => void;
}

// RootVariants are the fields of one of the objects between which the schema lets the user choose.
function RootVariants({ variants, value, context, onChange }: RootProps & { variants: Field[] }) {
  const at = Math.min(value.variant ?? 0, variants.length - 1);
  const shape = shapeOf(variants[at]!, context.definitions);
  const change = (next: Value) => onChange({ ...next, state: "set" });
  return (
    <div class="fields">
      <div class="field union" role="group" aria-label="Variants of the arguments">
        <div class="field-head"><span class="field-label">Variant</span><span class="field-type faint">the arguments have one of {variants.length} forms</span></div>
        <VariantPicker of="the arguments" variants={variants} at={at} onChange={(to) => change(choosing(value, to, variants, context.definitions))} />
        {shape.description && <div class="field-doc"><Markdown text={shape.description} /></div>}
      </div>
      <Properties key={at} fields={shape.fields ?? []} items={shape.open ? shape.items : undefined} value={{ ...chosenOf({ ...value, state: "set" }), state: "set" }} context={context}
        onChange={(next) => change(withVariant(value, at, next))} />
    </div>
  );
}

// Properties are the fields of the whole arguments.
function Properties({ fields, items, value, context, onChange }: RootProps & { fields: Field[]; items?: Field }) {
  const latest = useRef({ value, onChange });
  latest.current = { value, onChange };
  const put = (next: Value) => latest.current.onChange(withMember(latest.current.value, next)); // also from a field that was not re-rendered
  const kept = items ? [] : (value.items ?? []).filter((v) => v.state === "raw" && !fields.some((f) => f.name === v.name));
  const whole: Field = { name: "", label: "", kind: "object", required: true, open: true, fields, items };
  return (
    <div class="fields">
      {fields.map((f) => (
        <MemoField key={f.name} field={f} path={f.name} value={member(value, f.name)} context={context} onChange={(next) => put({ ...next, name: f.name })} />
      ))}
      {kept.filter(isSet).map((v) => (
        <div key={v.name} class="field kept" data-path={v.name} data-state="value">
          <div class="field-head">
            <span class="field-label mono">{v.name}</span>
            <span class="badge warn">not in the schema</span>
            <span class="grow" />
            <button type="button" class="button quiet slim" onClick={() => onChange({ ...value, items: value.items?.filter((other) => other !== v) })}>Remove</button>
          </div>
          <pre class="kept-json">{v.json}</pre>
        </div>
      ))}
      {items && <OpenMembers field={whole} path="" value={value} context={context} onChange={onChange} />}
    </div>
  );
}

// MemoField renders a field only when it changed: in a form with hundreds of fields, a keystroke affects one.
class MemoField extends Component<FieldProps> {
  override shouldComponentUpdate(next: FieldProps): boolean {
    const now = this.props;
    return now.field !== next.field || now.path !== next.path || now.context.id !== next.context.id || !same(now.value, next.value)
      || problemsOf(now) !== problemsOf(next);
  }

  render(props: FieldProps) {
    return <FieldBox {...props} />;
  }
}

// same treats two untouched values as equal.
function same(a: Value, b: Value): boolean {
  return a === b || [a, b].every((v) => v.state === "unset" && v.text === undefined && v.json === undefined && v.items === undefined && v.variants === undefined);
}

/** problemsOf returns the problems and remarks of a field and its nested fields. */
function problemsOf({ path, context }: FieldProps): string {
  let all = "";
  for (const notes of [context.problems, context.remarks]) for (const [at, note] of notes) if (at.startsWith(path)) all += at + " " + note + "\n";
  return all;
}
