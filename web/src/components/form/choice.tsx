// One of the values that the schema lists.
import type { Option } from "../../api.gen";
import { described } from "./control";
import type { FieldProps } from "./field";
import { typed } from "./values";

const none = -1;

export function Choice(props: FieldProps) {
  const { field, value, onChange } = props;
  const options = field.options ?? [];
  const same = (o: Option) => o.text === value.text && (value.json === undefined || o.value === value.json);
  const exact = options.findIndex(same); // the text alone may stand for several values, such as 1 and "1"
  const at = value.state !== "set" ? none : exact >= 0 ? exact : options.findIndex((o) => o.text === value.text);
  const choose = (index: number) => {
    const option = options[index];
    if (option) onChange(typed({ ...value, json: option.value }, option.text, true));
    else onChange({ ...value, state: "unset" });
  };
  return (
    <select {...described(props)} class="input" value={String(at)} onChange={(e) => choose(Number(e.currentTarget.value))}>
      <option value={String(none)}>{value.state === "null" ? "null" : "unset"}</option>
      {options.map((o, i) => (
        <option key={o.value} value={String(i)}>{labelOf(o, options)}</option>
      ))}
    </select>
  );
}

// labelOf is the title of an option, with the value if that is different, as JSON if another option has the same text.
function labelOf(o: Option, all: Option[]): string {
  const text = all.some((other) => other !== o && other.text === o.text) ? o.value : o.text;
  return o.title === o.text ? text : `${o.title} (${text})`;
}
