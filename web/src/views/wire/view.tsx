// The wire view: every frame in both directions, verbatim.
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Frames, Link } from "../../api.gen";
import { get, path } from "../../api/client";
import { Empty } from "../../components/empty";
import { Filter } from "../../components/filter";
import { Icon } from "../../components/icon";
import { List } from "../../components/list";
import { Menu } from "../../components/menu";
import { Segments } from "../../components/segments";
import { showError } from "../../components/toasts";
import { useCommands } from "../../state/commands";
import { current } from "../../state/links";
import { go, href, route } from "../../state/route";
import { Detail } from "./detail";
import { download, importFile } from "./files";
import { everything, filtered, type Filter as What } from "./filter";
import { logOf } from "./log";
import { LineDetail } from "./line";
import { FrameRow, LineRow } from "./row";
import { isFrame, keyOf, mergeRows, type Row } from "./rows";
import { draft, Sending } from "./sending";

export function WireView() {
  const link = current.value;
  if (link) return <Timeline key={link.id} link={link} />;
  return <Empty icon="wire" title="No server connected"><p>Connect to a server to see its protocol frames, or import a transcript.</p><div class="row"><a class="button primary" href={href("servers")}>Choose a server</a><Import /></div></Empty>;
}

function Import() {
  const input = useRef<HTMLInputElement>(null);
  const take = async (files: FileList | null) => {
    const file = files?.[0];
    if (!file) return;
    const link = await importFile(file);
    go("wire", link.id);
  };
  useCommands(() => [{ title: "Import transcript", where: "Wire", icon: "upload", run: () => input.current?.click() }]);
  return (
    <label class="button quiet slim">
      <Icon name="upload" />
      Import
      <input ref={input} class="hidden-label" type="file" aria-label="Import transcript" accept=".jsonl,.ndjson,.json,.har,application/json"
        onChange={(e) => { const el = e.currentTarget; take(el.files).catch(showError).finally(() => (el.value = "")); }} />
    </label>
  );
}

function Timeline({ link }: { link: Link }) {
  const log = logOf(link.id);
  const what = useSignal<What>(everything);
  const sending = useSignal(false);
  const follow = useSignal(true);
  const hits = useHits(link.id, what.value.text, log.frames.value.length);
  useEffect(() => {
    void log.catchUp().catch(showError);
    if (link.transport === "stdio" || link.state === "offline") void log.overhear().catch(showError);
  }, [log]);
  const rows = useMemo(() => mergeRows(log.frames.value, log.lines.value), [log.frames.value, log.lines.value]);
  const shown = useMemo(() => filtered(rows, what.value, hits), [rows, what.value, hits]);
  const item = route.value.item;
  const select = (next: string) => {
    follow.value = false;
    go("wire", link.id, next, item !== "");
  };
  const narrow = (part: Partial<What>) => (what.value = { ...what.value, ...part });
  const editAndSend = (body: string) => {
    draft.value = body;
    sending.value = true;
  };
  const canSend = link.state === "open";
  const close = () => go("wire", link.id);
  return (
    <div class="panes wire" data-front={item ? "1" : "0"}>
      <section class="pane" aria-label="Timeline">
        <div class="pane-head">
          <Filter label="Search frames" value={what.value.text} onInput={(text) => narrow({ text })} count={String(rows.length)} />
          <Segments label="Side" value={what.value.side} onChange={(side) => narrow({ side })} segments={[
            { value: "", text: "All" }, { value: "client", text: "Sent" }, { value: "server", text: "Received" },
            ...(log.lines.value.length > 0 ? [{ value: "stderr", text: "stderr", title: "stderr of the process" }] : [])]} />
          <select class="input slim" aria-label="Kind" value={what.value.kind} onChange={(e) => narrow({ kind: e.currentTarget.value })}>
            <option value="">Any kind</option>
            {log.lines.value.length > 0 && <option value="message">all except stderr</option>}
            <option value="problem">errors and violations</option>
            {["request", "notification", "result", "error", "http", "other"].map((kind) => <option key={kind} value={kind}>{kind}</option>)}
          </select>
          <select class="input slim" aria-label="Method" value={what.value.method} onChange={(e) => narrow({ method: e.currentTarget.value })}>
            <option value="">Any method</option>
            {log.methods.value.map((method) => <option key={method} value={method}>{method}</option>)}
          </select>
          <span class="row">
            <input class="input slim frame-id" aria-label="ID" placeholder="ID" value={what.value.id} onInput={(e) => narrow({ id: e.currentTarget.value.trim() })} />
            <button type="button" class="button quiet slim" aria-pressed={what.value.folded} title="Show each exchange as one row" onClick={() => narrow({ folded: !what.value.folded })}>Fold</button>
          </span>
          <span class="small muted tabular" role="status" data-shown={shown.length}>{shown.length === rows.length ? "" : `${shown.length.toLocaleString("en")} shown`}</span>
        </div>
        <div class="wire-columns" aria-hidden="true"><span>#</span><span>Time</span><span /><span>Message</span><span>Duration</span><span>Size</span></div>
        <RowList shown={shown} start={rows[0]?.time ?? ""} selected={item} follow={follow.value && rows === shown} onSelect={select} onScrolled={(atEnd) => (follow.value = atEnd)} loaded={log.loaded.value} />
        {sending.value && canSend ? (
          <Sending link={link} onClose={() => (sending.value = false)} onSent={() => (follow.value = true)} />
        ) : (
          <div class="pane-foot row">
            <button type="button" class="button slim" disabled={!canSend} onClick={() => (sending.value = true)}>Send raw frame</button>
            <span class="grow" />
            <Import />
            <Menu label="Export" icon="download" text="Export" actions={[
              { label: "Transcript (JSONL)", icon: "download", run: () => void download(link, "jsonl").catch(showError) },
              { label: "HTTP archive (HAR)", icon: "download", run: () => void download(link, "har").catch(showError) },
            ]} />
            <button type="button" class="button quiet slim" aria-pressed={follow.value} onClick={() => (follow.value = !follow.value)}>Follow</button>
          </div>
        )}
      </section>
      <section class="pane" aria-label="Frame">
        {item ? (
          <>
            <div class="pane-head only-narrow"><button type="button" class="button quiet slim back" onClick={close}><Icon name="back" />Timeline</button></div>
            {item.startsWith("e") ? <LineDetail link={link} n={Number(item.slice(1))} /> : <Detail link={link} seq={Number(item)} onEdit={canSend ? editAndSend : undefined} />}
            <button type="button" class="button quiet slim icon only-wide close-frame" aria-label="Close frame" title="Close frame" onClick={close}><Icon name="close" /></button>
          </>
        ) : null}
      </section>
    </div>
  );
}

interface ListProps {
  shown: readonly Row[];
  start: string;
  selected: string;
  follow: boolean;
  loaded: boolean;
  onSelect: (key: string) => void;
  onScrolled: (atEnd: boolean) => void;
}

// RowList scrolls to its end while Follow is on, like a terminal.
function RowList({ shown, start, selected, follow, loaded, onSelect, onScrolled }: ListProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const el = box.current;
    if (el && follow) el.scrollTop = el.scrollHeight;
  }, [shown.length, follow]);
  const last = useRef(0);
  const onScroll = () => {
    const el = box.current!;
    const atEnd = el.scrollTop + el.clientHeight > el.scrollHeight - 56;
    const back = el.scrollTop < last.current; // by the user: added rows only move the end
    last.current = el.scrollTop;
    if (follow && back && !atEnd) onScrolled(false);
  };
  return (
    <div ref={box} class="scroll grow" onScroll={onScroll}>
      {shown.length === 0 && loaded ? (
        <Empty icon="wire" title="No frames"><p>No matching frames.</p></Empty>
      ) : (
        <List id="frames" label="Frames" items={shown as Row[]} keyOf={keyOf} selected={selected} onSelect={onSelect}
          row={(r) => (isFrame(r) ? <FrameRow frame={r} start={start} /> : <LineRow line={r} start={start} />)} />
      )}
    </div>
  );
}

// useHits searches the bodies in Go, because the rows have only their beginnings.
function useHits(link: string, text: string, count: number): ReadonlySet<number> | null {
  const [hits, setHits] = useState<ReadonlySet<number> | null>(null);
  useEffect(() => {
    setHits(null);
    if (text.length < 2) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      get<Frames>(path("links", link, "frames") + "?limit=10000&q=" + encodeURIComponent(text), stop.signal)
        .then((found) => setHits(new Set(found.frames.map((f) => f.seq))), showError);
    }, 60);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [link, text, text.length < 2 ? 0 : count]);
  return hits;
}
