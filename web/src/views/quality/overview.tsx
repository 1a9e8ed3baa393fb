// All checks of a server on one page: the grade, the areas with their evidence, the trend, and what to fix first.
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { Link, Operation } from "../../api.gen";
import { Empty } from "../../components/empty";
import { Icon } from "../../components/icon";
import { plural } from "../../components/size";
import { useCommands } from "../../state/commands";
import { Causes } from "./causes";
import { inputOf, Inputs, typedOf } from "./inputs";
import { RunSummary } from "./runsummary";
import { toneOfGrade, type Area, type CheckVerdict, type Report } from "./report";
import { runOf, start, stop } from "./run";
import { sectionOf } from "./sections";
import { TrendLine } from "./trendline";

export function Overview({ link, operation, choices }: { link: Link; operation: Operation; choices: ComponentChildren }) {
  const run = runOf(link.id, operation.name).value;
  const running = run.state === "running";
  const begin = () => void start(link.id, operation, inputOf(operation, typedOf(operation).value));
  useCommands(() => [{ title: "Run all checks", where: "Quality", icon: "play", run: begin }]);
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key !== "Enter" || !(e.ctrlKey || e.metaKey) || running) return;
    e.preventDefault();
    begin();
  };
  const button = running
    ? <button type="button" class="button" onClick={() => stop(link.id, operation.name)}><Icon name="stop" />Stop</button>
    : <button type="button" class="button primary" onClick={begin}><Icon name="play" />Run all checks <kbd>Ctrl ↵</kbd></button>;
  const options = <details class="small options"><summary class="muted">Options</summary><Inputs operation={operation} fields={operation.fields.filter((f) => f.name !== "verbose")} /></details>;
  const last = useRef(run); // stays in sight during the next run
  if (run.report) last.current = run;
  const shown = running ? last.current : run;
  const verdict = shown.report?.check;
  return (
    <div class="panes quality lens" data-front="1" onKeyDown={onKeyDown}>
      <section class="pane" aria-label="Sections"><div class="pane-body scroll">{choices}{options}</div></section>
      <section class="pane" aria-label="Overview">
        <div class="only-narrow sections-bar scroll">{choices}</div>
        <div class="pane-head"><h1 class="cut">Overview</h1><span class="grow" />{button}</div>
        {run.state !== "idle" && <RunSummary run={run} name={operation.name} judged />}
        <div class="pane-body scroll" tabIndex={0} role="region" aria-label="Verdict">
          {verdict && shown.report ? (
            <div class={"column dashboard" + (running ? " stale" : "")} inert={running}>
              <Verdict verdict={verdict} report={shown.report} running={running} />
              <TrendLine link={link.id} operation={operation.name} />
              <Areas areas={verdict.areas} />
              <Causes link={link} report={shown.report} text={shown.result} />
              {verdict.not_tested.length > 0 && (
                <section class="stack tight" aria-label="Not tested">
                  <h2>Not tested</h2>
                  <ul class="stack tight small muted">{verdict.not_tested.map((t) => <li key={t} class="break">{t.replace(/ \(use [^()]*\)/g, "")}</li>)}</ul>
                </section>
              )}
            </div>
          ) : run.state === "idle" && (
            <Empty icon="quality" title={sectionOf(operation).none}>
              <p>Checks the protocol, the schemas of the tools, and how the tools handle invalid arguments. Only tools that declare <code>readOnlyHint</code> are called.</p>
            </Empty>
          )}
          <div class="only-narrow">{options}</div>
        </div>
      </section>
    </div>
  );
}

const sentences: Record<CheckVerdict["verdict"], string> = { passed: "No errors", failed: "Errors found", incomplete: "No errors, but not everything could be tested", unreachable: "Not reachable" };

function Verdict({ verdict: v, report, running }: { verdict: CheckVerdict; report: Report; running: boolean }) {
  const { critical, error, warning } = report.summary;
  const counts = [critical > 0 && `${critical} critical`, error > 0 && plural(error, "error"), warning > 0 && plural(warning, "warning")].filter(Boolean).join(", ");
  return (
    <section class="verdict-card card" aria-label="Grade">
      <span class={"grade " + (v.grade ? toneOfGrade(v.grade) : "")} data-grade={running ? undefined : v.grade || "none"} aria-label={v.grade ? "Grade " + v.grade : "No grade"}>{v.grade || "–"}</span>
      <div class="stack tight grow">
        <h2 class="verdict-word">{sentences[v.verdict]}{counts && <span class="muted"> · {counts}</span>}</h2>
        {v.reason && <p class="break">{v.reason}</p>}
        <p class="small muted break">{v.server} · {v.offers}</p>
      </div>
    </section>
  );
}

function Areas({ areas }: { areas: Area[] }) {
  return (
    <section class="areas" aria-label="Areas">
      {areas.map((a) => (
        <article key={a.name} class="card area" aria-label={a.name}>
          <div class="row"><h3 class="grow">{a.name}</h3><span class={"badge " + (a.grade ? toneOfGrade(a.grade) : "")}>{a.grade ? "grade " + a.grade : a.state}</span></div>
          <p class="small break">{a.about || "No findings"}</p>
          <p class="small muted break">Tested: {a.evidence}</p>
        </article>
      ))}
    </section>
  );
}
