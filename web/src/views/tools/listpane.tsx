// The list of tools with its filter.
import { useSignal } from "@preact/signals";
import type { Finding, Item, Link } from "../../api.gen";
import { Filter, matches } from "../../components/filter";
import { Icon } from "../../components/icon";
import { List } from "../../components/list";
import { Notice } from "../../components/notice";
import { StateDot, stateWord } from "../../components/state";
import { showError } from "../../components/toasts";
import { reconnect } from "../../state/links";
import { reloadTools, searchText, toolsOf } from "./lists";

export function ToolListPane({ link, selected, onSelect }: { link: Link; selected: string; onSelect: (tool: string) => void }) {
  const filter = useSignal("");
  const { list, problem } = toolsOf(link).value;
  const all = list?.items ?? [];
  const found = filter.value === "" ? all : all.filter((i) => matches(filter.value, searchText(i)));
  return (
    <section class="pane" aria-label="Tools">
      <div class="pane-head">
        <Filter label="Filter tools" value={filter.value} onInput={(v) => (filter.value = v)} count={list ? String(all.length) : ""} />
        <button type="button" class="button quiet icon" aria-label="Refresh list" title="Refresh list" onClick={() => void reloadTools(link.id)}><Icon name="reload" /></button>
      </div>
      <div class="scroll grow" data-count={found.length}>
        {link.state !== "open" && <div class="pad"><Closed link={link} /></div>}
        {problem && <div class="pad"><Notice tone="bad">{problem}</Notice></div>}
        {list?.refused && <div class="pad"><Notice tone="bad">The server returned error {list.refused.code} for tools/list: {list.refused.message}</Notice></div>}
        {list?.problems.map((p) => <div class="pad"><Notice tone="warn">{p}</Notice></div>)}
        <List id="tools" label="Tools" items={found} keyOf={(i) => i.name} selected={selected} onSelect={onSelect} row={(i) => <Row item={i} />} />
        {list && found.length === 0 && <p class="pad muted">{all.length === 0 ? "The server has no tools." : "No matching tools."}</p>}
      </div>
    </section>
  );
}

// Closed shows why no tool can be called, and how to reconnect.
function Closed({ link }: { link: Link }) {
  const again = link.state === "failed" || link.state === "closed" || link.state === "expired";
  return (
    <Notice tone={link.error ? "bad" : "note"}>
      <div class="stack">
        <span class="row"><StateDot link={link} />{link.name}: {stateWord(link)}</span>
        {link.error && <p class="break">{link.error.message}</p>}
        {again && <div><button type="button" class="button slim" onClick={() => void reconnect(link).catch(showError)}><Icon name="reload" /> Reconnect</button></div>}
      </div>
    </Notice>
  );
}

function Row({ item }: { item: Item }) {
  const worst = worstOf(item.findings ?? []);
  return (
    <>
      <span class="name cut grow" title={item.title ? `${item.name}: ${item.title}` : item.name}>{item.name}</span>
      {(item.annotations ?? []).filter((b) => b.tone !== "plain").map((b) => <span key={b.name} class={"letter " + b.tone} role="img" aria-label={b.text} title={b.text}>{b.text[0]?.toUpperCase()}</span>)}
      {item.odd && <span class="badge bad" title={item.odd}>odd</span>}
      {worst && <span class={"badge " + toneOf(worst)} title={`${item.findings!.length} lint findings`}>{item.findings!.length}</span>}
    </>
  );
}

const order = ["critical", "error", "warning", "info"];

function worstOf(findings: Finding[]): string {
  return order.find((s) => findings.some((f) => f.severity === s)) ?? "";
}

/** toneOf is the color of a severity. */
export function toneOf(severity: string): string {
  return severity === "critical" || severity === "error" ? "bad" : severity === "warning" ? "warn" : "note";
}
