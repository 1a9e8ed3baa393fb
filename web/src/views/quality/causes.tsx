// Findings grouped by cause: what to fix, the evidence, and the call that shows it.
import { useSignal } from "@preact/signals";
import type { Item, Link } from "../../api.gen";
import { Icon } from "../../components/icon";
import { plural } from "../../components/size";
import { showError } from "../../components/toasts";
import { href } from "../../state/route";
import { useItems } from "../features/items";
import { FixPanel } from "./fixpanel";
import { editsOf, findings, severities, toneOfSeverity, type Cause, type Finding, type Report } from "./report";
import { reproduction, tryIt } from "./reproduce";

const mostFindings = 30;

export function Causes({ link, report, text }: { link: Link; report: Report; text: string }) {
  const tools = useItems(link, "tools").list.value?.items ?? [];
  const area = useSignal("");
  const all = findings(report);
  const causes = report.check?.groups ?? [];
  const areas = [...new Set(causes.map((c) => c.area))];
  const shown = causes.filter((c) => area.value === "" || c.area === area.value).sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
  if (causes.length === 0) return <p class="notice"><Icon name="check" />No findings.</p>;
  return (
    <section class="stack" aria-label="Causes">
      <div class="row wrap">
        <h2 class="grow">{plural(causes.length, "cause")} to look at</h2>
        <div class="tally" role="group" aria-label="Areas">
          {["", ...areas].map((a) => <button key={a} type="button" aria-pressed={area.value === a} onClick={() => (area.value = a)}>{a || "all"} <span class="n">{causes.filter((c) => a === "" || c.area === a).length}</span></button>)}
        </div>
      </div>
      {shown.map((c) => <One key={c.rule + c.message} link={link} cause={c} tools={tools} text={text} found={all.filter((f) => (f.rule === c.rule || c.also?.includes(f.rule)) && (c.subjects.length === 0 || c.subjects.includes(f.where.subject ?? "")))} />)}
    </section>
  );
}

function One({ link, cause: c, found, tools, text }: { link: Link; cause: Cause; found: Finding[]; tools: Item[]; text: string }) {
  const open = useSignal(false);
  return (
    <article class="card cause" aria-label={c.title} data-rule={c.rule}>
      <div class="cause-head">
        <button type="button" class="cause-toggle" aria-expanded={open.value} onClick={() => (open.value = !open.value)}>
          <Icon name="caret" class={open.value ? "turned" : ""} />
          <span class={"badge " + toneOfSeverity(c.severity)}>{c.severity}</span>
          <b class="cause-title">{c.title}</b>
          <span class="muted small whole">{c.findings > 1 ? plural(c.findings, "finding") : ""}</span>
        </button>
        <TryIt link={link} command={c.reproduce} tools={tools} />
      </div>
      <p class="cause-says break">{c.message.split("\n", 1)[0]}</p>
      {c.fix && <p class="cause-fix break"><b>Fix</b> {c.fix}</p>}
      {open.value && <Details link={link} cause={c} found={found} tools={tools} text={text} />}
    </article>
  );
}

function Details({ link, cause: c, found, tools, text }: { link: Link; cause: Cause; found: Finding[]; tools: Item[]; text: string }) {
  return (
    <div class="stack cause-details">
      {c.why && <p class="muted break">{c.why}</p>}
      <ul class="stack">
        {found.slice(0, mostFindings).map((f) => (
          <li key={f.at.join()} class="stack tight">
            <div class="row">
              <span class={"pip " + f.severity} role="img" aria-label={f.severity} />
              <span class="grow break small"><Subject link={link} name={f.where.subject} tools={tools} /> {f.message}{f.where.pointer && <code class="faint"> {f.where.pointer}</code>}</span>
              <TryIt link={link} command={f.reproduce} tools={tools} />
            </div>
            {f.evidence && <details class="small"><summary class="muted">Evidence</summary><pre class="evidence">{f.evidence.join("\n")}</pre></details>}
            {f.fixes?.map((fix, i) => <FixPanel key={i} link={link} tool={f.where.subject ?? ""} fix={fix} edits={() => editsOf(text, f, i)} />)}
          </li>
        ))}
      </ul>
      {found.length > mostFindings && <p class="small muted">{found.length - mostFindings} more</p>}
      <p class="row wrap small muted"><span class="mono">{[c.rule, ...(c.also ?? [])].join(", ")}</span>{c.link && <a href={c.link} target="_blank" rel="noreferrer">About this rule</a>}</p>
    </div>
  );
}

function Subject({ link, name, tools }: { link: Link; name?: string; tools: Item[] }) {
  if (!name) return null;
  return tools.some((t) => t.name === name) ? <a class="mono" href={href("tools", link.id, name)}>{name}</a> : <span class="mono">{name}</span>;
}

/** TryIt runs the call that reproduces a finding, if it is a call of a tool. */
export function TryIt({ link, command, tools }: { link: Link; command?: string; tools: Item[] }) {
  const call = reproduction(command, tools);
  if (!call) return null;
  return <button type="button" class="button slim" title={`Calls ${call.tool} with ${call.arguments_json}`.slice(0, 300)} onClick={() => void tryIt(link, call).catch(showError)}><Icon name="play" />Try it</button>;
}
