// The list of tools with its filter.
import { useSignal } from "@preact/signals";
import type { Item, Link } from "../../api.gen";
import { Filter, matches } from "../../components/filter";
import { Icon } from "../../components/icon";
import { List } from "../../components/list";
import { Notice } from "../../components/notice";
import { plural } from "../../components/size";
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
        {problem && <div class="pad"><Notice tone="bad">{problem}</Notice></div>}
        {list?.refused && <div class="pad"><Notice tone="bad">The server returned error {list.refused.code} for tools/list: {list.refused.message}</Notice></div>}
        {list?.problems.map((p) => <div class="pad"><Notice tone="warn">{p}</Notice></div>)}
        <List id="tools" label="Tools" items={found} keyOf={(i) => i.name} selected={selected} onSelect={onSelect} row={(i) => <Row item={i} />} />
        {!list && !problem && <Loading link={link} />}
        {list && found.length === 0 && <p class="pad muted">{all.length === 0 ? "The server has no tools." : "No matching tools."}</p>}
      </div>
    </section>
  );
}

// Loading says what the list waits for.
function Loading({ link }: { link: Link }) {
  return (
    <p class="pad muted row" role="status" data-testid="loading">
      <Icon name="reload" class="spin" /> {link.state === "open" ? "Reading the list of tools …" : "Waiting for the connection …"}
    </p>
  );
}

function Row({ item }: { item: Item }) {
  const errors = (item.findings ?? []).filter((f) => f.severity === "critical" || f.severity === "error").length;
  return (
    <>
      <span class="name cut grow" title={item.title ? `${item.name}: ${item.title}` : item.name}>{item.name}</span>
      {(item.annotations ?? []).filter((b) => b.name === "readOnlyHint" || b.name === "destructiveHint").filter((b) => b.tone !== "plain").map((b) => <span key={b.name} class={"hint-word " + b.tone}>{b.text}</span>)}
      {item.odd && <span class="badge bad" title={item.odd}>odd</span>}
      {errors > 0 && <span class="badge bad" title={plural(errors, "schema-lint error")}>{errors}</span>}
    </>
  );
}

/** toneOf is the color of a severity. */
export function toneOf(severity: string): string {
  return severity === "critical" || severity === "error" ? "bad" : severity === "warning" ? "warn" : "note";
}
