// A list of objects, one card per object.
import type { Field, Value } from "../../api.gen";
import { Icon } from "../icon";
import type { FieldProps } from "./field";
import { Fields } from "./group";
import { ItemButtons } from "./items";
import { fresh } from "./values";

export function Rows(props: FieldProps) {
  const { field, path, value, onChange, context } = props;
  const items = value.state === "set" ? (value.items ?? []) : [];
  const set = (next: Value[]) => onChange({ ...value, state: "set", items: next });
  const row: Field = { ...field, kind: "object" };
  return (
    <div class="stack items" role="group" aria-labelledby={`${context.id}-${path}-label`}>
      {items.map((v, i) => {
        const at = `${path}[${i}]`;
        return (
          <div key={i} class="group row-card" data-path={at} role="group" aria-label={at}>
            <div class="row">
              <code class="faint grow">{at}</code>
              <ItemButtons at={at} index={i} items={items} set={set} />
            </div>
            {v.state === "raw" ? <pre class="kept-json">{v.json}</pre> : (
              <Fields field={row} path={at} value={v} context={context} onChange={(next) => set(items.map((o, j) => (j === i ? { ...next, state: "set" } : o)))} />
            )}
            {context.problems.has(at) && <p class="problem">{context.problems.get(at)}</p>}
          </div>
        );
      })}
      <button type="button" class="button slim add" onClick={() => set([...items, fresh(field)])}><Icon name="plus" /> Add row</button>
    </div>
  );
}
