// The authorization flow, step by step: each request, the exact response, and the failed step.
import type { AuthAnswer, AuthRequest, AuthStep } from "../../api.gen";
import { Icon } from "../../components/icon";
import { Notice } from "../../components/notice";
import { duration } from "../../components/size";
import { TextView } from "../../components/textview";
import { funnel } from "./signins";

export function Funnel({ steps, running }: { steps: AuthStep[]; running: boolean }) {
  const reached = Math.max(-1, ...steps.map((s) => funnel.value.findIndex((t) => t.name === s.name)));
  const later = steps.some((s) => s.name === "expired" || s.name === "refresh"); // tried on purpose, with a token that exists
  const ahead = funnel.value.slice(reached + 1).filter(() => !later && (running || steps.length === 0));
  return (
    <ol class="funnel" aria-label="Authorization steps">
      {steps.map((s, i) => <StepBox key={s.seq} step={s} number={i + 1} last={i === steps.length - 1} />)}
      {ahead.map((t, i) => (
        <li key={t.name} class={"funnel-step " + (running && i === 0 && steps.every((s) => s.state !== "waiting") ? "running" : "ahead")}>
          <span class={"funnel-mark" + (running && i === 0 ? " pulse" : "")} aria-hidden="true">{steps.length + i + 1}</span>
          <div class="funnel-body"><span class="muted">{t.title}</span></div>
        </li>
      ))}
    </ol>
  );
}

function StepBox({ step: s, number, last }: { step: AuthStep; number: number; last: boolean }) {
  return (
    <li class={"funnel-step " + s.state} data-step={s.name} data-state={s.state}>
      <span class="funnel-mark" aria-hidden="true">{s.state === "ok" ? <Icon name="check" /> : s.state === "failed" ? <Icon name="close" /> : number}</span>
      <div class="funnel-body">
        <div class="row"><h3>{s.title}</h3><span class={"badge " + (tones[s.state] ?? "")}>{s.state}</span><span class="grow" />{s.elapsed_ns > 0 && <span class="faint small tabular nowrap">{duration(s.elapsed_ns)}</span>}</div>
        {s.result && <p class="break muted">{s.result}</p>}
        <p class="small faint"><a href={s.clause.url} target="_blank" rel="noopener noreferrer">{s.clause.title}</a></p>
        {s.problem && <Notice tone="bad" role="alert"><p>{s.problem}</p>{s.hint && <p class="small muted">{s.hint}</p>}</Notice>}
        {s.notes?.map((note) => <Notice key={note} tone="warn">{note}</Notice>)}
        {s.open && s.state === "waiting" && <AuthorizeLink url={s.open} />}
        {(s.request || s.answer) && (
          <details open={last && s.state === "failed"}>
            <summary>{s.request ? `${s.request.method} ${s.request.url}` : "Response"}{s.answer ? ` → ${s.answer.status}` : ""}</summary>
            <div class="stack">
              {s.request && <Message label="Request" text={requestText(s.request)} />}
              {s.answer && <Message label="Response" text={answerText(s.answer)} />}
              {s.answer?.cut && <p class="small warn">Truncated.</p>}
            </div>
          </details>
        )}
      </div>
    </li>
  );
}

const tones: Record<string, string> = { ok: "good", failed: "bad", waiting: "warn", absent: "" };

// AuthorizeLink links to the page where the user consents. Only http and https URLs are opened.
function AuthorizeLink({ url }: { url: string }) {
  const safe = /^https?:\/\//i.test(url);
  return (
    <div class="stack">
      <div class="url-box" data-url={url}>{url}</div>
      {safe ? <div><a class="button primary" href={url} target="_blank" rel="noopener noreferrer">Open and authorize</a></div> : <Notice tone="bad">This URL cannot be opened: it is neither http nor https.</Notice>}
    </div>
  );
}

function Message({ label, text }: { label: string; text: string }) {
  return <div class="exchange-text scroll" tabIndex={0} role="group" aria-label={label}><TextView text={text} label={label} /></div>;
}

function requestText(r: AuthRequest): string {
  return `${r.method} ${r.url}\n${headers(r.header)}${r.body ? "\n" + r.body : ""}`;
}

function answerText(a: AuthAnswer): string {
  return `HTTP ${a.status}\n${headers(a.header)}${a.body ? "\n" + a.body : ""}`;
}

function headers(all: Record<string, string[]> | undefined): string {
  return Object.entries(all ?? {}).flatMap(([name, values]) => values.map((v) => `${name}: ${v}\n`)).join("");
}
