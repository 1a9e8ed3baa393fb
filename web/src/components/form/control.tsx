// The control of a field, by its kind.
import { Choice } from "./choice";
import { Check } from "./check";
import type { FieldProps } from "./field";
import { Group } from "./group";
import { Items } from "./items";
import { NumberInput } from "./number";
import { TextInput } from "./text";
import { Union } from "./union";
import { shapeOf } from "./values";

export function Control(given: FieldProps) {
  const field = shapeOf(given.field, given.context.definitions);
  const props = field === given.field ? given : { ...given, field };
  if (props.value.state === "raw" && !boxes.includes(props.field.kind)) return <RawValue json={props.value.json} />;
  switch (props.field.kind) {
    case "integer":
    case "number":
      return <NumberInput {...props} />;
    case "boolean":
      return <Check {...props} />;
    case "enum":
      return <Choice {...props} />;
    case "list":
    case "rows":
      return <Items {...props} />;
    case "union":
      return <Union {...props} />;
    case "object":
    case "tuple":
      return <Group {...props} />;
    case "null":
      return null;
    default:
      return <TextInput {...props} />;
  }
}

const boxes = ["integer", "number", "string", "json"]; // kinds whose value is editable text

// RawValue shows JSON that a control cannot show.
function RawValue({ json }: { json?: string }) {
  return (
    <>
      <pre class="kept-json">{json}</pre>
      <p class="small muted">This field cannot show the value; it is sent unchanged. Edit it as JSON, or remove it here.</p>
    </>
  );
}

/** described returns the attributes that link a control to its problem and its state. */
export function described({ path, value, context }: FieldProps) {
  const bad = context.problems.has(path);
  return {
    id: `${context.id}-${path}`,
    "data-kept": value.state === "raw" ? true : undefined,
    "aria-invalid": bad && value.state !== "unset" ? true : undefined,
    "aria-describedby": bad ? `${context.id}-${path}-problem` : undefined,
  } as const;
}

/** hint is the placeholder of an empty box: its state. */
export function hint(props: FieldProps): string {
  if (props.value.state === "null") return "null";
  if (props.value.state === "set") return props.field.kind === "string" ? '""' : "";
  if (props.field.kind === "json" && props.field.examples === undefined) return props.field.reason ? "unset, JSON" : "unset, text or JSON";
  const example = props.field.examples?.[0];
  return example === undefined ? "unset" : `unset, for example ${example}`;
}
