// A form described by Go. It keeps typed text verbatim; states and problems of fields come from Go.
import { Component } from "preact";
import { useId, useRef } from "preact/hooks";
import type { Field, FieldState, Form, Value } from "../../api.gen";
import { FieldBox, type FieldProps } from "./field";
import { isSet, member, withMember } from "./values";

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
  const latest = useRef({ value, onChange });
  latest.current = { value, onChange };
  const put = (next: Value) => latest.current.onChange(withMember(latest.current.value, next)); // also from a field that was not re-rendered
  const kept = (value.items ?? []).filter((v) => v.state === "raw" && !form.fields.some((f) => f.name === v.name));
  return (
    <div class="fields">
      {form.fields.map((f) => (
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
