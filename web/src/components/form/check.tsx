// A boolean. Unset is neither true nor false, and is shown differently.
import { useLayoutEffect, useRef } from "preact/hooks";
import { described } from "./control";
import type { FieldProps } from "./field";
import { typed } from "./values";

export function Check(props: FieldProps) {
  const { value, onChange } = props;
  const box = useRef<HTMLInputElement>(null);
  const open = value.state !== "set" || (value.text !== "true" && value.text !== "false");
  useLayoutEffect(() => {
    if (box.current) box.current.indeterminate = open;
  }, [open]);
  const checked = value.state === "set" && value.text === "true";
  return (
    <span class="check">
      <input {...described(props)} ref={box} type="checkbox" checked={checked} onChange={() => onChange(typed(value, checked ? "false" : "true"))} />
      <code class={open ? "faint" : ""}>{value.state === "set" ? value.text : value.state}</code>
    </span>
  );
}
