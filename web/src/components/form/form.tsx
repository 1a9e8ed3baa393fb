// A form as Go describes it. It keeps what was typed as it was typed; states and problems of fields come from Go.
import { useId } from "preact/hooks";
import type { FieldState, Form, Value } from "../../api.gen";
import { FieldBox } from "./field";
import { isSet, member, withMember } from "./values";

interface Props {
  form: Form;
  value: Value;
  states: FieldState[];
  onChange: (next: Value) => void;
}

/** Context is what every field needs beside itself. */
export interface Context {
  id: string;
  problems: Map<string, string>;
}

export function FormFields({ form, value, states, onChange }: Props) {
  const id = useId();
  const problems = new Map(states.filter((s) => s.problem).map((s) => [s.path, s.problem!]));
  const context: Context = { id, problems };
  const kept = (value.items ?? []).filter((v) => v.state === "raw" && !form.fields.some((f) => f.name === v.name));
  return (
    <div class="fields">
      {form.fields.map((f) => (
        <FieldBox key={f.name} field={f} path={f.name} value={member(value, f.name)} context={context}
          onChange={(next) => onChange(withMember(value, { ...next, name: f.name }))} />
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
