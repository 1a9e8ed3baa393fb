// One finding: the rule and its reason, the location, the frame, and a suggested fix.
import type { Link } from "../../api.gen";
import { Icon } from "../../components/icon";
import { Markdown } from "../../components/markdown";
import { href } from "../../state/route";
import { useItems } from "../features/items";
import { TryIt } from "./causes";
import { FixPanel } from "./fixpanel";
import { bodyOf, editsOf, titleOf, toneOfSeverity, type Finding, type Report } from "./report";

export function FindingPane({ link, report, text, finding: f, onBack }: { link: Link; report: Report; text: string; finding: Finding; onBack: () => void }) {
  const rule = report.rules.find((r) => r.id === f.rule);
  const tools = useItems(link, "tools").list.value?.items ?? [];
  const tool = tools.find((i) => i.name === f.where.subject);
  const listed = tool?.frame; // the definition is in the list
  const frames = f.where.frames ?? (listed ? [listed] : []);
  return (
    <>
      <div class="pane-head">
        <button type="button" class="button quiet slim icon back" aria-label="Back to the findings" onClick={onBack}><Icon name="back" /></button>
        <span class={"badge " + toneOfSeverity(f.severity)}>{f.severity}</span>
        <span class="mono cut grow">{f.rule}</span>
        {f.not_counted && <span class="badge" title="Does not fail the run">not counted</span>}
      </div>
      <div class="pane-body scroll stack gap-wide" tabIndex={0} role="region" aria-label="Finding">
        <h2 class="finding-title">{rule ? titleOf(rule) : f.rule}</h2>
        <p class="break">{f.message}</p>
        <div class="row"><TryIt link={link} command={f.reproduce} tools={tools} /></div>
        <dl class="frame-facts">
          {f.where.subject && (<><dt>Subject</dt><dd class="mono break">{tool ? <a href={href("tools", link.id, f.where.subject)}>{f.where.subject}</a> : f.where.subject}</dd></>)}
          {f.where.pointer && (<><dt>Location</dt><dd class="mono">{f.where.pointer}</dd></>)}
          {f.where.file && (<><dt>File</dt><dd class="mono">{f.where.file}{f.where.line ? ":" + f.where.line : ""}</dd></>)}
          {frames.length > 0 && (
            <><dt>{frames.length === 1 ? "Frame" : "Frames"}</dt><dd class="row wrap">{frames.map((seq) => <a key={seq} href={href("wire", link.id, String(seq))}>frame {seq}</a>)}</dd></>
          )}
          {rule?.spec && (<><dt>Specification</dt><dd>{rule.spec}</dd></>)}
        </dl>
        {f.fixes?.map((fix, i) => <FixPanel key={f.at.join() + i} link={link} tool={f.where.subject ?? ""} fix={fix} edits={() => editsOf(text, f, i)} />)}
        {f.evidence && <details class="small"><summary class="muted">Evidence</summary><pre class="evidence">{f.evidence.join("\n")}</pre></details>}
        {rule && bodyOf(rule) !== "" && <Markdown text={bodyOf(rule)} />}
      </div>
    </>
  );
}
