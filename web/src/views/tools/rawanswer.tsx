// The response, byte for byte.
import { useEffect, useState } from "preact/hooks";
import type { Call } from "../../api.gen";
import { path, send } from "../../api/client";
import { bytes } from "../../components/size";
import { TextView } from "../../components/textview";
import { copy } from "../../components/toasts";
import { isOver } from "./calls";

export function RawAnswer({ call }: { call: Call }) {
  const [text, setText] = useState<string | null>(null);
  const ended = isOver(call);
  useEffect(() => {
    setText(null);
    if (!ended) return;
    const stop = new AbortController();
    send("GET", path("links", call.link, "calls", call.n, "raw"), undefined, stop.signal).then((a) => a.text()).then(setText, () => !stop.signal.aborted && setText(""));
    return () => stop.abort();
  }, [call.link, call.n, ended]);
  if (text === null) return <p class="muted">{ended ? "Loading …" : "No response yet."}</p>;
  if (text === "") return <p class="muted">No response.</p>;
  return (
    <div class="block">
      <div class="block-head"><span class="faint small">{bytes(new Blob([text]).size)}, verbatim</span><span class="grow" /><button type="button" class="button quiet slim" onClick={() => void copy(text)}>Copy</button></div>
      <TextView text={text} label="Raw response" />
    </div>
  );
}
