// One frame in full.
import { useEffect, useState } from "preact/hooks";
import type { Copy as Copied, FrameDetail, Link } from "../../api.gen";
import { get, path, send } from "../../api/client";
import { JsonTree } from "../../components/jsontree";
import { Menu } from "../../components/menu";
import { Notice } from "../../components/notice";
import { Segments } from "../../components/segments";
import { bytes, duration } from "../../components/size";
import { TextView } from "../../components/textview";
import { showError, copy } from "../../components/toasts";
import { persisted } from "../../state/persist";
import { href } from "../../state/route";
import { exactly } from "./units";

const look = persisted<string>("wire-look", "tree");

export function Detail({ link, seq, onEdit }: { link: Link; seq: number; onEdit?: (body: string) => void }) {
  const [frame, setFrame] = useState<FrameDetail | null>(null);
  const [body, setBody] = useState("");
  useEffect(() => {
    const stop = new AbortController();
    const load = async () => {
      const f = await get<FrameDetail>(path("links", link.id, "frames", seq), stop.signal);
      const text = f.body ?? (f.fetch ? await (await send("GET", path("links", link.id, "frames", seq, "raw"), undefined, stop.signal)).text() : "");
      setBody(text);
      setFrame(f);
    };
    load().catch(showError);
    return () => stop.abort();
  }, [link.id, seq]);
  if (!frame || frame.seq !== seq) return <div class="pane-body scroll" aria-busy="true" />;
  return (
    <>
      <div class="pane-head">
        <Segments label="View" value={look.value} onChange={(v) => (look.value = v)} segments={[{ value: "tree", text: "Tree" }, { value: "pretty", text: "Pretty" }, { value: "raw", text: "Raw" }]} />
        <span class="grow" />
        {onEdit && frame.from === "client" && <button type="button" class="button quiet slim" onClick={() => onEdit(body)}>Edit and send</button>}
        {link.recording && repeatable(frame) && <CopyAs link={link} seq={seq} />}
        <button type="button" class="button quiet slim" onClick={() => void copy(body)}>Copy</button>
      </div>
      <div class="pane-body scroll stack" tabIndex={0} role="region" aria-label={"Frame " + seq}>
        <Facts link={link} frame={frame} />
        {frame.fault && <Notice tone="warn">{frame.fault}</Notice>}
        {frame.odd?.map((odd) => <Notice key={odd} tone="warn">{odd}</Notice>)}
        {frame.header.length > 0 && <Headers frame={frame} />}
        {body !== "" && <Body frame={frame} body={body} />}
      </div>
    </>
  );
}

// repeatable frames are requests of the client, and the responses to them.
function repeatable(f: FrameDetail): boolean {
  return f.from === "client" ? f.kind === "request" : f.pair !== undefined && f.pair < f.seq;
}

// CopyAs copies the request of a recorded frame in another format.
function CopyAs({ link, seq }: { link: Link; seq: number }) {
  const run = async (as: string) => {
    const got = await get<Copied>(path("links", link.id, "frames", seq, "copy") + "?as=" + as);
    await copy(got.text, got.note ? "Copied. " + got.note : "Copied");
  };
  return <Menu label="Copy as" icon="copy" text="Copy as" actions={[
    { label: "mcptest command", run: () => void run("mcptest").catch(showError) },
    { label: "suite test", run: () => void run("suite").catch(showError) },
  ]} />;
}

function Body({ frame, body }: { frame: FrameDetail; body: string }) {
  if (look.value === "raw") return <TextView text={body} label="Body, byte for byte" />;
  if (look.value === "pretty") return <TextView text={frame.pretty ?? body} label="Body, indented" />;
  return <JsonTree text={body} label="Body" />;
}

function Facts({ link, frame: f }: { link: Link; frame: FrameDetail }) {
  const answers = f.kind === "result" || f.kind === "error";
  return (
    <dl class="frame-facts">
      <dt>{f.from === "client" ? "Sent" : "Received"}</dt>
      <dd>{exactly(f.time)} · {bytes(f.size)} · <span class="mono">{f.stream}</span>{f.conn ? ` · connection ${f.conn}` : ""}{f.status ? ` · HTTP ${f.status}` : ""}</dd>
      {f.method && (<><dt>{answers ? "Response to" : "Method"}</dt><dd class="mono">{f.method}{f.name ? " " + f.name : ""}</dd></>)}
      {f.id_json && (<><dt>ID</dt><dd class="mono">{f.id_json}</dd></>)}
      {f.elapsed_ns !== undefined && (<><dt>Duration</dt><dd>{duration(f.elapsed_ns)}</dd></>)}
      {f.verdict && (<><dt>Verdict</dt><dd>{f.verdict}</dd></>)}
      {f.pair !== undefined && (
        <>
          <dt>{answers ? "Request" : "Response"}</dt>
          <dd><a href={href("wire", link.id, String(f.pair))}>frame {f.pair}</a></dd>
        </>
      )}
      {f.event !== undefined && (<><dt>Event</dt><dd class="mono">{f.event || "message"}{f.event_id ? ` · id ${f.event_id}` : ""}</dd></>)}
    </dl>
  );
}

function Headers({ frame }: { frame: FrameDetail }) {
  return (
    <details>
      <summary class="small muted">{frame.header.length} headers</summary>
      <dl class="frame-facts mono">
        {frame.header.map((h, i) => (<><dt key={"n" + i}>{h.name}</dt><dd key={"v" + i}>{h.value}</dd></>))}
      </dl>
    </details>
  );
}
