// One check operation: its options, progress and findings.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import type { Link, Operation } from "../../api.gen";
import { Empty } from "../../components/empty";
import { Filter, matches } from "../../components/filter";
import { Icon } from "../../components/icon";
import { JsonTree } from "../../components/jsontree";
import { List } from "../../components/list";
import { useCommands } from "../../state/commands";
import { Figures } from "./metrics";
import { FindingPane } from "./finding";
import { inputOf, Inputs, typedOf } from "./inputs";
import { findings, severities, type Finding, type Report, type Severity } from "./report";
import { runOf, start, stop } from "./run";
import { RunSummary } from "./runsummary";
import { sectionOf } from "./sections";
import { SuiteText, suiteIn } from "./suite";
import { TrendLine } from "./trendline";

// Options of the connection are already set, and options about files do not apply to the page.
const settled = new Set(["target", "command", "env", "cwd", "header", "timeout", "protocol", "config", "insecure", "log_level", "verbose"]);
const most = new Set(["rules", "severity", "suite", "fail_on", "tool", "cases", "rate", "duration", "threshold"]);

export function CheckPane({ link, operation, choices }: { link: Link; operation: Operation; choices: ComponentChildren }) {
  const run = runOf(link.id, operation.name);
  const typed = typedOf(operation);
  const picked = useSignal<Finding | null>(null);
  const choosing = useSignal(false); // on a narrow page: back to the operations
  const fields = operation.fields.filter((f) => !settled.has(f.name));
  const running = run.value.state === "running";
  const begin = () => {
    picked.value = null;
    choosing.value = false;
    void start(link.id, operation, inputOf(operation, typed.value));
  };
  const title = sectionOf(operation).action;
  useCommands(() => [{ title, where: "Quality", icon: "play", run: begin }]);
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key !== "Enter" || !(e.ctrlKey || e.metaKey) || running) return;
    e.preventDefault();
    begin();
  };
  const report = run.value.report;
  return (
    <div class={"panes quality" + (report ? "" : " lens")} data-front={picked.value ? "2" : run.value.state === "idle" || choosing.value ? "0" : "1"} onKeyDown={onKeyDown}>
      <section class="pane" aria-label="Operation">
        <div class="pane-body scroll stack gap-wide">
          <div class="sections-bar">{choices}</div>
          <Inputs operation={operation} fields={fields.filter((f) => most.has(f.name))} />
          {fields.some((f) => !most.has(f.name)) && (
            <details class="stack">
              <summary class="small muted">More options</summary>
              <Inputs operation={operation} fields={fields.filter((f) => !most.has(f.name))} />
            </details>
          )}
        </div>
        <div class="pane-foot row">
          {running
            ? <button type="button" class="button" onClick={() => stop(link.id, operation.name)}><Icon name="stop" />Stop</button>
            : <button type="button" class="button primary grow" onClick={begin}><Icon name="play" />{title} <kbd>Ctrl ↵</kbd></button>}
        </div>
      </section>
      <section class="pane" aria-label="Findings">
        <RunSummary run={run.value} name={operation.name} onBack={() => (choosing.value = true)} />
        <TrendLine link={link.id} operation={operation.name} />
        {report?.load && <Figures load={report.load} />}
        {report ? <FindingList report={report} picked={picked.value} onPick={(f) => (picked.value = f)} /> : (
          run.value.state === "done"
            ? <RunOutput link={link} text={run.value.result} />
            : run.value.state === "idle" && <Empty icon="quality" title={sectionOf(operation).none}><p>{sectionOf(operation).about}.</p></Empty>
        )}
      </section>
      {report && (
        <section class="pane" aria-label="Finding">
          {picked.value ? <FindingPane link={link} report={report} text={run.value.result} finding={picked.value} onBack={() => (picked.value = null)} /> : (
            findings(report).length > 0 && <Empty icon="quality" title="Choose a finding"><p>Shows the rule, the location, the frames and a suggested fix.</p></Empty>
          )}
        </section>
      )}
    </div>
  );
}

// RunOutput is the result of an operation without findings.
function RunOutput({ link, text }: { link: Link; text: string }) {
  const suite = suiteIn(text);
  return suite ? <SuiteText link={link} text={suite} /> : <div class="pane-body scroll"><JsonTree text={text} label="Result" /></div>;
}

// FindingList is the table of findings, filtered by severity and text.
function FindingList({ report, picked, onPick }: { report: Report; picked: Finding | null; onPick: (f: Finding) => void }) {
  const hidden = useSignal<ReadonlySet<Severity>>(new Set());
  const filter = useSignal("");
  const all = useMemo(() => findings(report), [report]);
  const shown = all.map((f, at) => ({ f, at })).filter(({ f }) => !hidden.value.has(f.severity) && matches(filter.value, `${f.rule} ${f.where.subject ?? ""} ${f.where.pointer ?? ""} ${f.message}`));
  const toggle = (s: Severity) => {
    const next = new Set(hidden.value);
    if (!next.delete(s)) next.add(s);
    hidden.value = next;
  };
  if (all.length === 0) return <Empty icon="check" title="No findings"><p>All applicable rules passed.</p></Empty>;
  return (
    <>
      <div class="pane-head wrap">
        <div class="tally" role="group" aria-label="Severities">
          {severities.map((s) => {
            const n = all.filter((f) => f.severity === s).length;
            return (
              <button key={s} type="button" aria-pressed={!hidden.value.has(s)} onClick={() => toggle(s)}>
                <span class={"pip " + s} /><span class="n">{n}</span>{n !== 1 && (s === "error" || s === "warning") ? s + "s" : s}
              </button>
            );
          })}
        </div>
        <Filter label="Filter findings" value={filter.value} onInput={(v) => (filter.value = v)} />
      </div>
      <div class="scroll grow" data-shown={shown.length}>
        <List id="findings" label="Findings" items={shown} keyOf={({ at }) => String(at)} selected={picked ? String(all.indexOf(picked)) : ""} height={34}
          onSelect={(key) => { const f = all[Number(key)]; if (f) onPick(f); }} row={({ f }) => <FindingRow finding={f} />} />
      </div>
    </>
  );
}

function FindingRow({ finding: f }: { finding: Finding }) {
  return (
    <div class="finding-row">
      <span class={"pip " + f.severity} role="img" aria-label={f.severity} />
      <span class="rule cut" title={f.rule}>{f.rule}</span>
      <span class="says">
        {f.where.subject && <span class="subject cut">{f.where.subject}</span>}
        <span class="message cut" title={f.message}>{f.message}</span>
      </span>
      <span class="fixable">{f.fixes && f.fixes.length > 0 && <span class="badge accent">fix</span>}</span>
    </div>
  );
}
