// The options of an operation, as a form generated from its description.
import { signal, type Signal } from "@preact/signals";
import type { Operation, OperationField } from "../../api.gen";
import { store, stored } from "../../state/persist";
import { severities } from "./report";

/** Typed has the contents of the fields, by name; flags are "true". Unset fields are omitted. */
export type Typed = Record<string, string>;

const forms = new Map<string, Signal<Typed>>();

/** typedOf is the contents of the form of an operation. It survives a reload. */
export function typedOf(operation: Operation): Signal<Typed> {
  const known = forms.get(operation.name) ?? signal(stored<Typed>("operation:" + operation.name, {}));
  forms.set(operation.name, known);
  return known;
}

/** inputOf is the input as JSON. Numbers are sent as typed. */
export function inputOf(operation: Operation, typed: Typed): string {
  const members = operation.fields.flatMap((f) => {
    const text = typed[f.name] ?? "";
    return text === "" ? [] : [JSON.stringify(f.name) + ":" + encode(f, text)];
  });
  return "{" + members.join(",") + "}";
}

function encode(field: OperationField, text: string): string {
  switch (field.type) {
    case "flag":
      return text === "true" ? "true" : "false";
    case "number":
      return /^-?\d+(\.\d+)?$/.test(text.trim()) ? text.trim() : JSON.stringify(text);
    case "duration":
      return nanoseconds(text.trim()) ?? JSON.stringify(text);
    case "list":
      return JSON.stringify(text.split(/[\n,]/).map((part) => part.trim()).filter(Boolean));
  }
  return JSON.stringify(text);
}

const units: Record<string, number> = { ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 };

// nanoseconds parses 500ms, 5s or 2m.
function nanoseconds(text: string): string | null {
  const read = /^(\d{1,6})(ms|s|m|h)$/.exec(text);
  return read ? String(Number(read[1]) * units[read[2]!]!) : null;
}

/** fill sets the text of a field of an operation. */
export function fill(operation: Operation, name: string, text: string): void {
  const typed = typedOf(operation);
  typed.value = { ...typed.value, [name]: text };
  store("operation:" + operation.name, typed.value);
}

export function Inputs({ operation, fields }: { operation: Operation; fields: OperationField[] }) {
  const typed = typedOf(operation);
  const set = (name: string, text: string) => fill(operation, name, text);
  return (
    <div class="stack">
      {fields.map((f) => (f.type === "flag" ? (
        <label key={f.name} class="row flag-line" title={f.doc}>
          <input type="checkbox" checked={typed.value[f.name] === "true"} onChange={(e) => set(f.name, e.currentTarget.checked ? "true" : "")} />
          <span>{words(f.name)}</span>
        </label>
      ) : (
        <label key={f.name} class="stack tight">
          <span class="field-name">{words(f.name)}{f.required && <span class="mark">required</span>}</span>
          {f.name === "severity" ? (
            <select class="input" aria-label={words(f.name)} value={typed.value[f.name] ?? ""} onChange={(e) => set(f.name, e.currentTarget.value)}>
              <option value="">all</option>
              {severities.map((s) => <option key={s} value={s}>{s}</option>)}
            </select>
          ) : f.name === "suite" ? (
            <textarea class="input mono" rows={12} aria-label={words(f.name)} placeholder={"tools:\n  - tool: NAME\n    …\n\nNew suite generates one"} value={typed.value[f.name] ?? ""} spellcheck={false}
              onInput={(e) => set(f.name, e.currentTarget.value)} />
          ) : <input class="input" aria-label={words(f.name)} placeholder={exampleOf(f)} value={typed.value[f.name] ?? ""} spellcheck={false}
            onInput={(e) => set(f.name, e.currentTarget.value)} />}
          <span class="small muted">{words(f.doc.replace(/; on the command line.*/, ""))}</span>
        </label>
      )))}
    </div>
  );
}

// exampleOf is a hint in an empty field; placeholders of the command line, such as LIST, say nothing here.
function exampleOf(field: OperationField): string | undefined {
  if (field.type === "list") return "separated by commas";
  if (field.type === "duration") return "such as 30s";
  return /^[A-Z]+$/.test(field.hint ?? "") ? undefined : field.hint;
}

// words makes a name readable: fix_mode is "Fix mode".
function words(name: string): string {
  const text = name.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
