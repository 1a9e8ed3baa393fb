// Text with any number of lines. Enter inserts a line break only if the schema indicates long text, or with Shift.
import { described, hint } from "./control";
import type { FieldProps } from "./field";
import { textOf, typed } from "./values";

export function TextInput(props: FieldProps) {
  const { field, value, onChange, item } = props;
  const long = field.format === "multiline";
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key === "Enter" && !long && !e.shiftKey && !e.ctrlKey && !e.metaKey && field.kind !== "json") e.preventDefault();
  };
  return (
    <>
    <textarea {...described(props)} class={"input" + (field.kind === "json" ? " mono" : "")} rows={long ? 4 : 1} spellcheck={false}
      autocomplete="off" placeholder={field.kind === "json" && value.state === "set" ? "JSON" : hint(props)} onKeyDown={onKeyDown}
      value={textOf(value)} onInput={(e) => onChange(typed(value, e.currentTarget.value, item && field.kind === "string"))} />
    {field.reason && <p class="remark">Only JSON: {field.reason}</p>}
    </>
  );
}
