// A list. Items can be added, removed and moved. Items that consist of other values are cards that fold.
import { useState } from "preact/hooks";
import type { Field, Value } from "../../api.gen";
import { Icon } from "../icon";
import { Control } from "./control";
import type { FieldProps } from "./field";
import type { Context } from "./form";
import { Fold } from "./fold";
import { fresh, holds, shapeOf, variantOf } from "./values";

export function Items(props: FieldProps) {
  const { field, path, value, onChange, context } = props;
  const items = value.state === "set" ? (value.items ?? []) : [];
  const set = (next: Value[]) => onChange({ ...value, state: "set", items: next });
  const kind: Field = field.kind === "rows" ? { ...field, kind: "object" } : (field.items ?? { name: "", label: "", kind: "json", required: false });
  const shape = shapeOf(kind, context.definitions);
  const cards = holds(shape) || shape.kind === "union";
  return (
    <div class="stack items" role="group" aria-labelledby={`${context.id}-${path}-label`}>
      {items.map((v, i) => {
        const at = `${path}[${i}]`;
        const put = (next: Value) => set(items.map((o, j) => (j === i ? (holds(shape) && next.state === "unset" ? { ...next, state: "set" } : next) : o)));
        const one: ItemProps = { at, index: i, items, set, props: { field: kind, path: at, value: v, context, onChange: put, item: true } };
        return cards ? <Card key={i} {...one} /> : <Line key={i} {...one} />;
      })}
      <button type="button" class="button slim add" onClick={() => set([...items, fresh(kind, context.definitions)])}>
        <Icon name="plus" /> {field.kind === "rows" ? "Add row" : "Add item"}
      </button>
    </div>
  );
}

interface ItemProps {
  at: string;
  index: number;
  items: Value[];
  set: (next: Value[]) => void;
  props: FieldProps;
}

function Line({ at, index, items, set, props }: ItemProps) {
  return (
    <div class="list-item" data-path={at}>
      <span class="index faint tabular" aria-hidden="true">{index}</span>
      <div class="grow">
        <label class="hidden-label" for={`${props.context.id}-${at}`} id={`${props.context.id}-${at}-label`}>{at}</label>
        <Control {...props} />
        <Remarks {...props} />
      </div>
      <NullButton {...props} />
      <ItemButtons at={at} index={index} items={items} set={set} />
    </div>
  );
}

function Card({ at, index, items, set, props }: ItemProps) {
  const [open, setOpen] = useState(true);
  const shape = variantOf(shapeOf(props.field, props.context.definitions), props.value, props.context.definitions);
  return (
    <div class={"row-card" + (holds(shape) ? "" : " slim-card")} data-path={at} role="group" aria-label={at}>
      <div class="row">
        <span class="grow"><Fold open={open} onToggle={() => setOpen(!open)} id={`${props.context.id}-${at}-label`}><code class="faint">{at}</code></Fold></span>
        <NullButton {...props} />
        <ItemButtons at={at} index={index} items={items} set={set} />
      </div>
      {open && <label class="hidden-label" for={`${props.context.id}-${at}`}>{at}</label>}
      {open && props.value.state !== "null" && <Control {...props} />}
      <Remarks {...props} />
    </div>
  );
}

/** NullButton makes an item null, or a value again, if the schema allows both. */
export function NullButton({ field, path, value, onChange, context }: FieldProps) {
  if (!field.nullable || field.kind === "null") return null;
  const pressed = value.state === "null";
  return (
    <button type="button" class="button quiet slim null-button" aria-pressed={pressed} aria-label={`${path} is null`} title="Send null"
      onClick={() => onChange({ ...(pressed ? fresh(field, context.definitions) : { state: "null" }), name: value.name })}>null</button>
  );
}

/** problemAt is the problem of a field, without the path, which its label shows. */
export function problemAt(context: Context, path: string): string | undefined {
  const problem = context.problems.get(path);
  const end = problem?.indexOf(": ") ?? -1;
  return problem && end > 0 && path.startsWith(problem.slice(0, end)) ? problem.slice(end + 2) : problem;
}

/** Remarks shows the problem of an item, or else the remark about it. */
export function Remarks({ path, context }: FieldProps) {
  const problem = problemAt(context, path);
  const remark = context.remarks.get(path);
  if (problem) return <p class="problem" id={`${context.id}-${path}-problem`}>{problem}</p>;
  return remark ? <p class="remark">{remark}</p> : null;
}

/** ItemButtons moves an item up or down, or removes it. */
function ItemButtons({ at, index, items, set }: { at: string; index: number; items: Value[]; set: (next: Value[]) => void }) {
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
