// An object: its declared fields, and properties with free names. A tuple: a field for each position.
import type { Field, Value } from "../../api.gen";
import { Icon } from "../icon";
import { Control } from "./control";
import { FieldBox, type FieldProps } from "./field";
import { NullButton, Remarks } from "./items";
import { created, fresh, holds, inside, isSet, member, shapeOf, withMember } from "./values";

export function Group(props: FieldProps) {
  const { field, path, value, onChange, context } = props;
  const declared = field.fields ?? [];
  const change = (next: Value) => onChange(settled(value, next));
  const put = (next: Value) => change(withMember(value.state === "set" ? value : { ...created(field), ...kept(value) }, next));
  const others = (value.items ?? []).filter((v) => isSet(v) && !declared.some((f) => f.name === v.name));
  return (
    <div class={"group " + field.kind} role="group" aria-labelledby={`${context.id}-${path}-label`}>
      {declared.map((f) => (
        <FieldBox key={f.name} field={f} path={field.kind === "tuple" ? `${path}[${f.name}]` : inside(path, f.name)} value={member(value, f.name)} context={context} position={field.kind === "tuple"}
          onChange={(next) => put({ ...next, name: f.name })} />
      ))}
      {!field.open && others.map((v) => <pre key={v.name} class="kept-json">{v.name}: {v.json}</pre>)}
      {field.open && <OpenMembers {...props} onChange={change} />}
    </div>
  );
}

// kept are the name and the items of an object that was unset before.
function kept(value: Value): Partial<Value> {
  return value.items?.length ? { name: value.name, items: value.items } : { name: value.name };
}

/** settled unsets an object again when its last property is removed. */
function settled(before: Value, next: Value): Value {
  const had = (before.items ?? []).some(isSet);
  const has = (next.items ?? []).some(isSet);
  return had && !has ? { ...next, state: "unset" } : next;
}

/** OpenMembers are the properties with free names. */
export function OpenMembers({ field, path, value, onChange, context }: FieldProps) {
  const all = value.items ?? [];
  const rows = all.map((v, at) => ({ v, at })).filter(({ v }) => !(field.fields ?? []).some((f) => f.name === v.name));
  const kind: Field = field.items ?? { name: "", label: "", kind: "json", required: false };
  const replace = (at: number, next: Value) => onChange({ ...value, state: "set", items: all.map((v, i) => (i === at ? next : v)) });
  const tall = holds(shapeOf(kind, context.definitions)) || kind.kind === "union";
  const whole = path || "the arguments";
  const base = value.state === "set" ? all : [...(created(field).items ?? []), ...rows.map(({ v }) => v)];
  return (
    <div class="stack">
      {rows.map(({ v, at: index }, i) => {
        const at = inside(path, v.name ?? "");
        const inner: FieldProps = { field: kind, path: at, value: v, context, item: true, onChange: (next) => replace(index, { ...next, name: v.name }) };
        return (
          <div key={index} class={"member" + (tall ? " tall" : "")} data-path={at}>
            <input class="input mono" aria-label={`Name of property ${i + 1} of ${whole}`} placeholder="name" value={v.name ?? ""} autocomplete="off"
              spellcheck={false} onInput={(e) => replace(index, { ...v, name: e.currentTarget.value })} />
            <div class="grow">
              <span class="hidden-label" id={`${context.id}-${at}-label`}>{at}</span>
              <label class="hidden-label" for={`${context.id}-${at}`}>{`Value of ${v.name || "property " + (i + 1)}`}</label>
              {!(tall && v.state === "null") && <Control {...inner} />}
              <Remarks {...inner} />
            </div>
            <NullButton {...inner} />
            <button type="button" class="button quiet icon" aria-label={`Remove property ${i + 1} of ${whole}`}
              onClick={() => onChange({ ...value, items: all.filter((_, j) => j !== index) })}><Icon name="close" /></button>
          </div>
        );
      })}
      <button type="button" class="button slim add" onClick={() => onChange({ ...value, state: "set", items: [...base, { ...fresh(kind, context.definitions), name: "" }] })}>
        <Icon name="plus" /> Add property
      </button>
    </div>
  );
}
