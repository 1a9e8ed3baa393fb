// The result of a call: its content blocks and structured content.
import type { Call } from "../../api.gen";
import { path, send } from "../../api/client";
import { useEffect, useState } from "preact/hooks";
import { Block } from "../../components/content";
import { JsonTree } from "../../components/jsontree";
import { bytes } from "../../components/size";
import { showError, copy } from "../../components/toasts";
import { go } from "../../state/route";

export function Payload({ call }: { call: Call }) {
  const at = path("links", call.link, "calls", call.n, "content");
  return (
    <div class="payload" data-testid="payload">
      {(call.content ?? []).map((c) => <Block key={c.index} content={c} at={`${at}/${c.index}`} onOpen={(uri) => go("resources", call.link, uri)} />)}
      {call.verdicts?.tool !== "none" && !call.content?.length && !call.structured_json && !call.structured_bytes && <p class="muted">No content.</p>}
      {(call.structured_json || call.structured_bytes) && <Structured call={call} at={`${at}/0?structured=1`} />}
    </div>
  );
}

function Structured({ call, at }: { call: Call; at: string }) {
  const [text, setText] = useState(call.structured_json ?? "");
  useEffect(() => {
    if (call.structured_json) return setText(call.structured_json);
    void send("GET", at).then((a) => a.text()).then(setText, showError);
  }, [at, call.structured_json]);
  return (
    <section class="block" aria-label="Structured content" data-kind="structured">
      <div class="block-head">
        <span class="faint small">structured content{call.structured_bytes ? ", " + bytes(call.structured_bytes) : ""}</span>
        <span class="grow" />
        <button type="button" class="button quiet slim" onClick={() => void copy(text)}>Copy</button>
      </div>
      {text !== "" && <JsonTree text={text} label="Structured content" />}
    </section>
  );
}
