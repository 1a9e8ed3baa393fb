// A number, typed as text so that nothing is rounded or truncated. The arrows change it if it is a plain decimal.
import { Icon } from "../icon";
import { described, hint } from "./control";
import type { FieldProps } from "./field";
import { textOf, typed } from "./values";

export function NumberInput(props: FieldProps) {
  const { field, value, onChange, path } = props;
  const step = field.step || "1";
  const text = textOf(value);
  const by = (sign: 1n | -1n) => {
    const next = stepped(text === "" ? "0" : text, step, sign);
    if (next !== null) onChange(typed(value, next));
  };
  return (
    <div class="number">
      <input {...described(props)} class="input" type="text" inputMode="decimal" role="spinbutton" aria-valuetext={text || hint(props)}
        data-step={field.step} autocomplete="off" spellcheck={false} placeholder={hint(props)} value={text}
        onInput={(e) => onChange(typed(value, e.currentTarget.value))}
        onKeyDown={(e) => {
          if (e.key !== "ArrowUp" && e.key !== "ArrowDown") return;
          e.preventDefault();
          by(e.key === "ArrowUp" ? 1n : -1n);
        }} />
      <button type="button" tabIndex={-1} class="step" aria-label={`Decrease ${path}`} onClick={() => by(-1n)}><Icon name="down" /></button>
      <button type="button" tabIndex={-1} class="step" aria-label={`Increase ${path}`} onClick={() => by(1n)}><Icon name="up" /></button>
    </div>
  );
}

const decimal = /^(-?)(\d+)(?:\.(\d+))?$/;

/** stepped adds a step to a decimal, digit by digit; null if one of them is not a decimal. */
function stepped(text: string, step: string, sign: bigint): string | null {
  const a = decimal.exec(text);
  const b = decimal.exec(step);
  if (!a || !b) return null;
  const places = Math.max(a[3]?.length ?? 0, b[3]?.length ?? 0);
  const scaled = (m: RegExpExecArray) => BigInt(m[1]! + m[2]! + (m[3] ?? "").padEnd(places, "0"));
  const sum = (scaled(a) + sign * scaled(b)).toString();
  if (places === 0) return sum;
  const digits = sum.replace("-", "").padStart(places + 1, "0");
  return (sum.startsWith("-") ? "-" : "") + digits.slice(0, -places) + "." + digits.slice(-places);
}
