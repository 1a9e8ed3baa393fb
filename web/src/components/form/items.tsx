// A list of single values. Items can be added, removed and moved.
import type { Field, Value } from "../../api.gen";
import { Icon } from "../icon";
import { Control } from "./control";
import type { FieldProps } from "./field";
import { fresh } from "./values";

export function Items(props: FieldProps) {
  const { field, path, value, onChange, context } = props;
  const items = value.state === "set" ? (value.items ?? []) : [];
  const set = (next: Value[]) => onChange({ ...value, state: "set", items: next });
  const kind: Field = field.items ?? { name: "", label: "", kind: "json", required: false };
  return (
    <div class="stack items" role="group" aria-labelledby={`${context.id}-${path}-label`}>
      {items.map((v, i) => {
        const at = `${path}[${i}]`;
        return (
          <div key={i} class="list-item" data-path={at}>
            <span class="index faint tabular" aria-hidden="true">{i}</span>
            <div class="grow">
              <label class="hidden-label" for={`${context.id}-${at}`} id={`${context.id}-${at}-label`}>{at}</label>
              <Control field={kind} path={at} value={v} context={context} onChange={(next) => set(items.map((o, j) => (j === i ? next : o)))} />
              {context.problems.has(at) && <p class="problem" id={`${context.id}-${at}-problem`}>{context.problems.get(at)}</p>}
            </div>
            <ItemButtons at={at} index={i} items={items} set={set} />
          </div>
        );
      })}
      <button type="button" class="button slim add" onClick={() => set([...items, fresh(field)])}><Icon name="plus" /> Add item</button>
    </div>
  );
}

/** ItemButtons moves an item up or down, or removes it. */
export function ItemButtons({ at, index, items, set }: { at: string; index: number; items: Value[]; set: (next: Value[]) => void }) {
  const swap = (other: number) => {
    const next = [...items];
    [next[index], next[other]] = [next[other]!, next[index]!];
    set(next);
  };
  return (
    <span class="item-buttons">
      <button type="button" class="button quiet icon slim" aria-label={`Move ${at} up`} disabled={index === 0} onClick={() => swap(index - 1)}><Icon name="up" /></button>
      <button type="button" class="button quiet icon slim" aria-label={`Move ${at} down`} disabled={index === items.length - 1} onClick={() => swap(index + 1)}><Icon name="down" /></button>
      <button type="button" class="button quiet icon slim" aria-label={`Remove ${at}`} onClick={() => set(items.filter((_, j) => j !== index))}><Icon name="close" /></button>
    </span>
  );
}
