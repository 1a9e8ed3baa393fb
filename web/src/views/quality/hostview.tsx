// How each host converts a tool for its model, side by side.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { Link, Operation } from "../../api.gen";
import { Diff, unified } from "../../components/diff";
import { Empty } from "../../components/empty";
import { Filter, matches } from "../../components/filter";
import { Icon } from "../../components/icon";
import { List } from "../../components/list";
import { Notice } from "../../components/notice";
import { go } from "../../state/route";
import { useItems } from "../features/items";
import { runOf, start } from "./run";

interface HostView {
  host: string;
  name: string;
  checked: string;
  tool: { lost?: string; unknown?: string };
  diff: string;
  problems?: { rule: string; breaks: string; pointer?: string; message: string }[];
}

export function Lens({ link, operation, tool, choices }: { link: Link; operation: Operation; tool: string; choices: ComponentChildren }) {
  const tools = useItems(link, "tools").list;
  const filter = useSignal("");
  const run = runOf(link.id, operation.name + "\n" + tool);
  const items = (tools.value?.items ?? []).filter((i) => matches(filter.value, i.name));
  const chosen = tool || tools.value?.items[0]?.name || "";
  useEffect(() => {
    if (chosen !== "" && runOf(link.id, operation.name + "\n" + chosen).value.state === "idle") {
      void start(link.id, operation, JSON.stringify({ tool: chosen }), operation.name + "\n" + chosen);
    }
  }, [chosen]);
  const shown = chosen === tool ? run.value : runOf(link.id, operation.name + "\n" + chosen).value;
  const views = shown.state === "done" ? ((JSON.parse(shown.result) as { views?: HostView[] }).views ?? []) : [];
  return (
    <div class="panes quality lens" data-front={tool ? "1" : "0"}>
      <section class="pane" aria-label="Tools">
        <div class="pane-body no-grow"><div class="sections-bar">{choices}</div></div>
        <div class="pane-head"><Filter label="Filter tools" value={filter.value} onInput={(v) => (filter.value = v)} /></div>
        <div class="scroll grow">
          <List id="lens-tools" label="Tools" items={items} keyOf={(i) => i.name} selected={chosen} onSelect={(name) => go("quality", link.id, "hosts/" + name, true)} row={(i) => <span class="name cut">{i.name}</span>} />
        </div>
      </section>
      <section class="pane" aria-label="Hosts">
        <div class="pane-head">
          <button type="button" class="button quiet slim icon back" aria-label="Back to the tools" onClick={() => go("quality", link.id, "hosts")}><Icon name="back" /></button>
          <h2 class="mono cut">{chosen}</h2><span class="muted small cut">as each host passes it to its model</span>
        </div>
        <div class="pane-body scroll" tabIndex={0} role="region" aria-label="Tool as seen by each host">
          {shown.state === "failed" && <Notice tone="bad" role="alert">{shown.problem?.message}</Notice>}
          {chosen === "" && tools.value && <Empty icon="quality" title="No tools" />}
          <div class="lens-grid">{views.map((v) => <Host key={v.host} view={v} />)}</div>
        </div>
      </section>
    </div>
  );
}

function Host({ view: v }: { view: HostView }) {
  const refused = (v.problems ?? []).filter((p) => p.breaks === "session" || p.breaks === "tool");
  const state = v.tool.unknown ? "unknown" : refused.length > 0 || v.tool.lost ? "rejected" : v.diff === "" ? "unchanged" : "changed";
  const tone = { rejected: "bad", unchanged: "good", changed: "warn", unknown: "" }[state];
  return (
    <article class="card lens-card" aria-label={v.name}>
      <div class="row"><h3 class="cut grow" title={v.name}>{v.name}</h3><span class={"badge " + tone}>{state}</span></div>
      {v.tool.unknown && <p class="small muted">{v.tool.unknown}</p>}
      {v.tool.lost && <p class="small bad">{v.tool.lost}</p>}
      <ul class="stack tight">
        {(v.problems ?? []).slice(0, 8).map((p, i) => (
          <li key={i} class="small break"><span class={"badge " + (p.breaks === "session" || p.breaks === "tool" ? "bad" : "")}>{p.breaks}</span> {p.message}</li>
        ))}
        {(v.problems ?? []).length > 8 && <li class="small muted">{v.problems!.length - 8} more</li>}
      </ul>
      {v.diff !== "" && (
        <Diff label={"Difference for " + v.name} lines={unified(v.diff)} />
      )}
      <span class="faint small">as of {v.checked}</span>
    </article>
  );
}
