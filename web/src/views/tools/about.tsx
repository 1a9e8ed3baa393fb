// The definition of a tool, and its findings.
import { useState } from "preact/hooks";
import type { Finding, Item, ToolForm } from "../../api.gen";
import { JsonTree } from "../../components/jsontree";
import { Markdown } from "../../components/markdown";
import { plural } from "../../components/size";
import { toneOf } from "./listpane";

export function About({ tool, form }: { tool: Item; form: ToolForm | null }) {
  const findings = tool.findings ?? [];
  return (
    <div class="about">
      {tool.title && tool.title !== tool.name && <h2>{tool.title}</h2>}
      {tool.description ? <Description key={tool.name} text={tool.description} /> : <p class="faint">No description.</p>}
      <div class="row wrap">
        {(tool.annotations ?? []).map((b) => <span key={b.name} class={"badge " + (b.tone === "caution" ? "warn" : b.tone === "good" ? "good" : "")} title={`${b.name}: ${b.value}`}>{b.text}</span>)}
        {tool.task_support && tool.task_support !== "forbidden" && <span class="badge note">task {tool.task_support}</span>}
        {tool.view && <span class="badge note" title={tool.view}>view</span>}
        {tool.for_app && !tool.for_model && <span class="badge note" title="_meta.ui.visibility: only views may call it">for apps only</span>}
        {tool.output && <span class="badge note">output schema</span>}
        {tool.odd && <span class="badge bad">{tool.odd}</span>}
      </div>
      {findings.length > 0 && <Findings findings={findings} />}
      {form && <Schemas tool={tool} form={form} />}
    </div>
  );
}

const longText = 700; // characters above which a description is shortened, to keep the form visible

function Description({ text }: { text: string }) {
  const [whole, setWhole] = useState(text.length <= longText);
  return (
    <>
      <div class={"muted" + (whole ? "" : " clamped")}><Markdown text={text} /></div>
      {text.length > longText && <div><button type="button" class="button slim" aria-expanded={whole} onClick={() => setWhole(!whole)}>{whole ? "Show less" : "Show full description"}</button></div>}
    </>
  );
}

function Findings({ findings }: { findings: Finding[] }) {
  return (
    <details class="fold">
      <summary>{plural(findings.length, "lint finding")}</summary>
      <ul class="findings">
        {findings.map((f) => (
          <li>
            <span class={"badge " + toneOf(f.severity)}>{f.rule}</span>
            <span class="grow break">{f.message}{f.pointer && <code class="faint"> {f.pointer}</code>}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Schemas({ tool, form }: { tool: Item; form: ToolForm }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="fold" onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>Definition and schemas</summary>
      {open && (
        <div class="stack">
          <h3>Input schema</h3>
          <JsonTree text={form.input_schema_json} label="Input schema" />
          {form.output_schema_json && <h3>Output schema</h3>}
          {form.output_schema_json && <JsonTree text={form.output_schema_json} label="Output schema" />}
          <h3>Definition</h3>
          <JsonTree text={tool.raw_json} label="Definition" />
        </div>
      )}
    </details>
  );
}
