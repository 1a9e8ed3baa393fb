// The outcome of a request: its error, or its content.
import type { ComponentChildren } from "preact";
import type { Call, Content } from "../../api.gen";
import { path, post } from "../../api/client";
import { Block } from "../../components/content";
import { Notice } from "../../components/notice";
import { showError } from "../../components/toasts";
import { go, href } from "../../state/route";
import { duration, plural } from "../../components/size";
import { isFinished } from "./call";

export function Outcome({ call, children }: { call: Call; children: ComponentChildren }) {
  const cancel = () => post(path("links", call.link, "calls", call.n, "cancel")).catch(showError);
  const first = call.frames[0];
  return (
    <>
      <div class="row wrap small muted">
        <span class={"badge " + tone(call)}>{call.status === "done" && !call.ok ? "error" : call.status}</span>
        {isFinished(call) && <span class="tabular">{duration(call.elapsed_ns)}</span>}
        {first !== undefined && <a href={href("wire", call.link, String(call.frames[call.frames.length - 1] ?? first))}>{plural(call.frames.length, "frame")}</a>}
        {!isFinished(call) && <button type="button" class="button slim" onClick={() => void cancel()}>Cancel</button>}
      </div>
      {call.verdicts?.transport && (
        <Notice tone="bad" role="alert"><p>{call.verdicts.transport.message}</p>{call.verdicts.transport.hint && <p class="small muted">{call.verdicts.transport.hint}</p>}</Notice>
      )}
      {call.verdicts?.rpc && (
        <Notice tone="bad" role="alert">
          <p><b class="mono">{call.verdicts.rpc.code}</b> {call.verdicts.rpc.message}</p>
          {call.verdicts.rpc.meaning && <p class="small muted">{call.verdicts.rpc.meaning}</p>}
          {call.verdicts.rpc.data_json && <pre class="small">{call.verdicts.rpc.data_json}</pre>}
        </Notice>
      )}
      {call.verdicts?.problems.map((p) => <Notice key={p} tone="warn">{p}</Notice>)}
      {isFinished(call) && children}
    </>
  );
}

function tone(call: Call): string {
  if (!isFinished(call)) return "accent";
  return call.ok ? "good" : call.status === "cancelled" ? "warn" : "bad";
}

/** Blocks shows the content of a call. */
export function Blocks({ call }: { call: Call }) {
  if (!call.content || call.content.length === 0) return call.ok ? <p class="muted">Empty response.</p> : null;
  return <>{call.content.map((c) => <BlockOf key={c.index} call={call} content={c} />)}</>;
}

/** BlockOf shows one block of content of a call. */
export function BlockOf({ call, content }: { call: Call; content: Content }) {
  return <Block content={content} at={path("links", call.link, "calls", call.n, "content", content.index)} onOpen={(uri) => go("resources", call.link, uri)} />;
}
