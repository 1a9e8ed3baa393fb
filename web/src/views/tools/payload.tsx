// The result of a call: its content blocks and structured content.
import type { Call } from "../../api.gen";
import { path, send } from "../../api/client";
import { useEffect, useState } from "preact/hooks";
import { Block } from "../../components/content";
import { JsonTree } from "../../components/jsontree";
import { bytes } from "../../components/size";
import { showError, copy } from "../../components/toasts";
import { format } from "../../json/format";
import { children, root } from "../../json/spans";
import { go } from "../../state/route";

export function Payload({ call }: { call: Call }) {
  const at = path("links", call.link, "calls", call.n, "content");
  const repeats = repeated(call);
  return (
    <div class="payload" data-testid="payload">
      {(repeats === "text" ? [] : (call.content ?? [])).map((c) => <Block key={c.index} content={c} at={`${at}/${c.index}`} onOpen={(uri) => go("resources", call.link, uri)} />)}
      {call.verdicts?.tool !== "none" && !call.content?.length && !call.structured_json && !call.structured_bytes && <p class="muted">No content.</p>}
      {(call.structured_json || call.structured_bytes) && (repeats.startsWith("in ")
        ? <details class="fold"><summary>Structured content: the same text, {repeats}</summary><JsonTree text={call.structured_json!} label="Structured content" /></details>
        : <Structured call={call} at={`${at}/0?structured=1`} also={repeats === "text" ? ", equal to the text" : ""} />)}
    </div>
  );
}

/** repeated reports whether structured content and text are the same: the text is its JSON, or that of its only property,
    such as "in result". Servers send both for clients that read one of them. */
function repeated(call: Call): string {
  const [only, ...more] = call.content ?? [];
  const structured = call.structured_json;
  if (!structured || !only || more.length > 0 || only.kind !== "text" || only.text === undefined || only.annotations_json) return "";
  if (format(only.text) === format(structured)) return "text";
  const whole = root(structured);
  const [inner, ...others] = whole?.kind === "object" ? children(structured, whole) : [];
  if (!inner || others.length > 0) return "";
  const value = structured.slice(inner.start, inner.end);
  const same = inner.kind === "string" ? JSON.parse(value) === only.text : format(value) === format(only.text);
  return same ? `in ${inner.key}` : "";
}

function Structured({ call, at, also }: { call: Call; at: string; also: string }) {
  const [text, setText] = useState(call.structured_json ?? "");
  useEffect(() => {
    if (call.structured_json) return setText(call.structured_json);
    void send("GET", at).then((a) => a.text()).then(setText, showError);
  }, [at, call.structured_json]);
  return (
    <section class="block" aria-label="Structured content" data-kind="structured">
      <div class="block-head">
        <span class="faint small">structured content{call.structured_bytes ? ", " + bytes(call.structured_bytes) : ""}{also}</span>
        <span class="grow" />
        <button type="button" class="button quiet slim" onClick={() => void copy(text)}>Copy</button>
      </div>
      {text !== "" && <JsonTree text={text} label="Structured content" />}
    </section>
  );
}
