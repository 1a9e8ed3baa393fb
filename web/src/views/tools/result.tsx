// The right pane: the result of a call, its bytes, its frames, and earlier calls.
import { useEffect, useState } from "preact/hooks";
import type { Call, Item, Link } from "../../api.gen";
import { get, path } from "../../api/client";
import { Empty } from "../../components/empty";
import { Icon } from "../../components/icon";
import { bytes, clock, duration } from "../../components/size";
import { Tabs } from "../../components/tabs";
import { href } from "../../state/route";
import { wide } from "../../state/width";
import { showError } from "../../components/toasts";
import { callsOf, isOver } from "./calls";
import { Compare } from "./compare";
import { CopyAs } from "./copyas";
import { History } from "./history";
import { Payload } from "./payload";
import { RawAnswer } from "./rawanswer";
import { Running } from "./running";
import { VerdictDetails, VerdictRow } from "./verdicts";
import { CallFrames } from "./callframes";
import { AppTab } from "./apptab";
import type { Workspace } from "./workspace";

interface Props {
  link: Link;
  tool: Item;
  workspace: Workspace;
  onBack: () => void;
}

export function ResultPane({ link, tool, workspace, onBack }: Props) {
  const [tab, setTab] = useState("result");
  const { mine, brief } = shownCall(link, tool, workspace);
  const call = useDetails(brief);
  return (
    <section class="pane" aria-label="Result">
      <div class="pane-head">
        <button type="button" class="button quiet icon back" aria-label="Back to the arguments" onClick={onBack}><Icon name="back" /></button>
        <Tabs label="Result" selected={tab} onSelect={setTab} tabs={[
          { id: "result", title: "Result" }, ...(tool.view ? [{ id: "view", title: "View" }] : []), { id: "raw", title: "Raw" }, ...(wide.value ? [] : [{ id: "wire", title: "Wire", count: brief?.frames.length }]),
          { id: "history", title: "History", count: mine.length },
        ]} />
        <span class="grow" />
        {brief && isOver(brief) && <Compare link={link} tool={tool} call={brief} others={mine} />}
        {brief && isOver(brief) && <CopyAs call={brief} link={link} />}
      </div>
      <p class="hidden-label" role="status">{brief && isOver(brief) && `Call ${brief.n} ${brief.ok ? "succeeded" : "failed"}, ${duration(brief.elapsed_ns)}`}</p>
      <div class="scroll grow pane-body" role="tabpanel" aria-label={tab} tabIndex={0} data-call={brief?.n} data-status={brief?.status}>
        {!brief && <Empty icon="play" title="Not called yet"><p>The result and its validation appear here.</p></Empty>}
        {brief && tab === "result" && <Outcome brief={brief} call={call} />}
        {brief && tool.view && tab === "view" && <AppTab link={link} tool={tool} call={brief} />}
        {brief && tab === "raw" && <RawAnswer call={brief} />}
        {brief && tab === "wire" && <CallFrames call={brief} />}
        {brief && tab === "history" && <History calls={mine} shown={brief.n} workspace={workspace} onShow={(n) => { workspace.shown.value = n; setTab("result"); }} />}
      </div>
    </section>
  );
}

/** shownCall is the visible call: the selected one, else the latest. */
function shownCall(link: Link, tool: Item, workspace: Workspace): { mine: Call[]; brief: Call | null } {
  const mine = callsOf(link.id).value.filter((c) => c.method === "tools/call" && c.name === tool.name);
  return { mine, brief: mine.find((c) => c.n === workspace.shown.value) ?? mine.find((c) => !c.by_app) ?? mine[0] ?? null };
}

/** WirePane shows the frames of the same call, if there is space. */
export function WirePane({ link, tool, workspace }: Omit<Props, "onBack">) {
  const { brief } = shownCall(link, tool, workspace);
  return (
    <section class="pane" aria-label="Call frames">
      <div class="pane-head"><h2 class="grow">Wire</h2><a class="small" href={href("wire", link.id)}>all frames</a></div>
      <div class="scroll grow pane-body" tabIndex={0} role="region" aria-label="Frames of the call">{brief && <CallFrames call={brief} />}</div>
    </section>
  );
}

/** useDetails reads the content of a call once it has ended. */
function useDetails(brief: Call | null): Call | null {
  const [full, setFull] = useState<Call | null>(null);
  const ended = brief !== null && isOver(brief);
  useEffect(() => {
    if (!brief || !ended) return;
    const stop = new AbortController();
    get<Call>(path("links", brief.link, "calls", brief.n), stop.signal).then(setFull, showError);
    return () => stop.abort();
  }, [brief?.link, brief?.n, ended]);
  return full && full.n === brief?.n && ended ? full : null;
}

function Outcome({ brief, call }: { brief: Call; call: Call | null }) {
  return (
    <div class="outcome">
      <div class="outcome-head small muted">
        <span class="tabular">{clock(brief.started)}</span>
        {isOver(brief) && <span class="tabular" title="Measured by mcptest, from the first request to the last response">{duration(brief.elapsed_ns)}</span>}
        {brief.result_bytes !== undefined && <span class="tabular">{bytes(brief.result_bytes)}</span>}
        {brief.anyway && <span class="badge warn">sent anyway</span>}
        {brief.by_app && <span class="badge note">from a view</span>}
        {brief.as_task && <span class="badge note">task</span>}
        <code class="cut grow" title={brief.arguments_json}>{brief.arguments_json}</code>
      </div>
      {!isOver(brief) && <Running call={brief} />}
      {brief.verdicts && <VerdictRow call={brief} />}
      {brief.verdicts && <VerdictDetails call={brief} />}
      {call ? <Payload call={call} /> : isOver(brief) && (brief.result_bytes ?? 0) > 1e6 && <p class="muted" role="status">Reading {bytes(brief.result_bytes!)} …</p>}
    </div>
  );
}
