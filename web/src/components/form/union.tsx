// A choice between variants. What was typed in each is kept.
import { Segments } from "../segments";
import { Control } from "./control";
import type { FieldProps } from "./field";
import { begun, chosenOf, fresh, isSet, unset, withVariant } from "./values";

const longest = 44; // characters of all labels that fit side by side

export function Union(props: FieldProps) {
  const { field, path, value, onChange, context, item } = props;
  const variants = field.variants ?? [];
  const at = value.variant ?? 0;
  const choose = (to: number) => {
    const kept = value.variants?.[to] ?? unset;
    const start = item ? fresh(variants[to], context.definitions) : begun(variants[to]!, context.definitions);
    onChange(withVariant(value, to, isSet(kept) ? kept : start));
  };
  const labels = variants.map((v) => v.label);
  const short = labels.length <= 4 && labels.join("").length <= longest;
  return (
    <div class="union stack" role="group" aria-label={`Variants of ${path}`}>
      {short ? (
        <Segments label={"Variant of " + path} value={String(at)} onChange={(v) => choose(Number(v))}
          segments={labels.map((text, i) => ({ value: String(i), text }))} />
      ) : (
        <select class="input variant" aria-label={"Variant of " + path} value={String(at)} onChange={(e) => choose(Number(e.currentTarget.value))}>
          {labels.map((text, i) => <option key={i} value={String(i)}>{text}</option>)}
        </select>
      )}
      {variants[at] && (
        <Control key={at} field={variants[at]!} path={path} value={chosenOf(value)} context={context} item={item}
          onChange={(next) => onChange(withVariant(value, at, next))} />
      )}
    </div>
  );
}
