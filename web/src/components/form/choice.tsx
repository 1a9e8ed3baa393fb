// One of the values that the schema lists.
import { described } from "./control";
import type { FieldProps } from "./field";
import { typed } from "./values";

const none = -1;

export function Choice(props: FieldProps) {
  const { field, value, onChange } = props;
  const options = field.options ?? [];
  const at = value.state === "set" ? options.findIndex((o) => o.text === value.text) : none;
  const choose = (index: number) => {
    const option = options[index];
    if (option) onChange(typed({ ...value, json: undefined }, option.text, true));
    else onChange({ ...value, state: "unset" });
  };
  return (
    <select {...described(props)} class="input" value={String(at)} onChange={(e) => choose(Number(e.currentTarget.value))}>
      <option value={String(none)}>{value.state === "null" ? "null" : "unset"}</option>
      {options.map((o, i) => (
        <option key={o.value} value={String(i)}>{o.title === o.text ? o.title : `${o.title} (${o.text})`}</option>
      ))}
    </select>
  );
}
