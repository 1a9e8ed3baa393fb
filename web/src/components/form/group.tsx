// An object: its declared fields, or properties with any name.
import type { Field, Value } from "../../api.gen";
import { Icon } from "../icon";
import { Control } from "./control";
import { FieldBox, type FieldProps } from "./field";
import { isSet, member, withMember } from "./values";

export function Group(props: FieldProps) {
  const { field, path, value, onChange, context } = props;
  const change = (next: Value) => onChange(settled(value, next));
  return (
    <div class="group" role="group" aria-labelledby={`${context.id}-${path}-label`}>
      <Fields field={field} path={path} value={value} onChange={change} context={context} />
    </div>
  );
}

/** settled unsets an object again when its last property is removed. */
function settled(before: Value, next: Value): Value {
  const had = (before.items ?? []).some(isSet);
  const has = (next.items ?? []).some(isSet);
  return had && !has ? { ...next, state: "unset" } : next;
}

/** Fields shows the properties of an object or of a row. */
export function Fields({ field, path, value, onChange, context }: FieldProps) {
  const declared = field.fields ?? [];
  const others = (value.items ?? []).filter((v) => isSet(v) && !declared.some((f) => f.name === v.name));
  return (
    <>
      {declared.map((f) => (
        <FieldBox key={f.name} field={f} path={`${path}.${f.name}`} value={member(value, f.name)} context={context}
          onChange={(next) => onChange(withMember(value, { ...next, name: f.name }))} />
      ))}
      {!field.open && others.map((v) => <pre key={v.name} class="kept-json">{v.name}: {v.json}</pre>)}
      {field.open && <OpenMembers field={field} path={path} value={value} onChange={onChange} context={context} />}
    </>
  );
}

function OpenMembers({ field, path, value, onChange, context }: FieldProps) {
  const items = value.items ?? [];
  const kind: Field = field.items ?? { name: "", label: "", kind: "json", required: false };
  const replace = (at: number, next: Value) => onChange({ ...value, state: "set", items: items.map((v, i) => (i === at ? next : v)) });
  return (
    <div class="stack">
      {items.map((v, i) => {
        const at = `${path}.${v.name ?? ""}`;
        return (
          <div key={i} class="member" data-path={at}>
            <input class="input mono" aria-label={`Name of property ${i + 1} of ${path}`} placeholder="name" value={v.name ?? ""} autocomplete="off"
              spellcheck={false} onInput={(e) => replace(i, { ...v, name: e.currentTarget.value })} />
            <div class="grow">
              <span class="hidden-label" id={`${context.id}-${at}-label`}>{at}</span>
              <label class="hidden-label" for={`${context.id}-${at}`}>{`Value of ${v.name || "property " + (i + 1)}`}</label>
              <Control field={kind} path={at} value={v} context={context} onChange={(next) => replace(i, { ...next, name: v.name })} />
              {context.problems.has(at) && <p class="problem" id={`${context.id}-${at}-problem`}>{context.problems.get(at)}</p>}
            </div>
            <button type="button" class="button quiet icon" aria-label={`Remove property ${i + 1} of ${path}`}
              onClick={() => onChange({ ...value, items: items.filter((_, j) => j !== i) })}><Icon name="close" /></button>
          </div>
        );
      })}
      <button type="button" class="button slim add" onClick={() => onChange({ ...value, state: "set", items: [...items, { name: "", state: "set", text: "" }] })}>
        <Icon name="plus" /> Add property
      </button>
    </div>
  );
}
