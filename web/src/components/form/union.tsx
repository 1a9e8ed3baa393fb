// A choice between variants. What was typed in each is kept.
import type { Field } from "../../api.gen";
import { Segments } from "../segments";
import { Control } from "./control";
import type { FieldProps } from "./field";
import { choosing, chosenOf, withVariant } from "./values";

const longest = 44; // characters of all labels that fit side by side

export function Union(props: FieldProps) {
  const { field, path, value, onChange, context, item } = props;
  const variants = field.variants ?? [];
  const at = value.variant ?? 0;
  return (
    <div class="union stack" role="group" aria-label={`Variants of ${path}`}>
      <VariantPicker of={path} variants={variants} at={at} onChange={(to) => onChange(choosing(value, to, variants, context.definitions, item))} />
      {variants[at] && (
        <Control key={at} field={variants[at]!} path={path} value={chosenOf(value)} context={context} item={item}
          onChange={(next) => onChange(withVariant(value, at, next))} />
      )}
    </div>
  );
}

/** VariantPicker chooses a variant by its label. */
export function VariantPicker({ of, variants, at, onChange }: { of: string; variants: Field[]; at: number; onChange: (to: number) => void }) {
  const labels = variants.map((v) => v.label);
  const label = "Variant of " + of;
  if (labels.length <= 4 && labels.join("").length <= longest)
    return <Segments label={label} value={String(at)} onChange={(v) => onChange(Number(v))} segments={labels.map((text, i) => ({ value: String(i), text }))} />;
  return (
    <select class="input variant" aria-label={label} value={String(at)} onChange={(e) => onChange(Number(e.currentTarget.value))}>
      {labels.map((text, i) => <option key={i} value={String(i)}>{text}</option>)}
    </select>
  );
}
