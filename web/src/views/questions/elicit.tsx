// An elicitation form. It is the same form as that of a tool: Go returns the content to be sent and its
// problems.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Answer, Examination, Question, Value } from "../../api.gen";
import { path, post } from "../../api/client";
import { FormFields } from "../../components/form/form";
import { remembering } from "../../components/form/values";
import { Notice } from "../../components/notice";
import { Segments } from "../../components/segments";
import { showError } from "../../components/toasts";

export function Elicit({ link, question: q, answer }: { link: string; question: Question; answer: (a: Partial<Answer>) => Promise<void> }) {
  const asForm = q.form?.mode === "form";
  const mode = useSignal(asForm ? "form" : "json");
  const value = useSignal<Value>(q.start ?? { state: "set", items: [] });
  const json = useSignal("{}");
  const seen = useSignal<Examination | null>(null);
  const typed = () => (mode.value === "form" ? { tool: "", value: value.value } : { tool: "", json: json.value });
  const examine = (signal?: AbortSignal) => post<Examination>(path("links", link, "questions", q.id, "examine"), typed(), signal);
  const checking = useRef<Promise<unknown>>(Promise.resolve());
  const accepting = useRef(false); // an answered question cannot be examined any more
  useEffect(() => {
    if (accepting.current) return;
    const stop = new AbortController();
    checking.current = examine(stop.signal).then((e) => (seen.value = e), showError);
    return () => stop.abort();
  }, [mode.value, value.value, json.value]);
  const change = (to: string) => {
    if (to === "json" && seen.value) json.value = seen.value.arguments_json;
    if (to === "form" && mode.value === "json" && !seen.value?.value) return showError(new Error("The form cannot show this JSON: content must be an object"));
    if (to === "form" && seen.value?.value) value.value = remembering(seen.value.value, value.value);
    mode.value = to;
  };
  const ok = seen.value?.ok ?? false;
  const accept = async () => {
    if (accepting.current) return;
    accepting.current = true;
    await checking.current;
    const exam = await examine().catch(showError); // what was typed last
    if (exam && !exam.ok && ok) seen.value = exam; // the button did not say that it is invalid
    else await answer({ action: "accept", anyway: !exam?.ok, ...(mode.value === "form" ? { value: value.value } : { content_json: json.value }) });
    accepting.current = false;
  };
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key !== "Enter" || !(e.ctrlKey || e.metaKey)) return;
    e.preventDefault();
    e.stopPropagation();
    void accept();
  };
  return (
    <form class="stack" onKeyDown={onKeyDown} onSubmit={(e) => { e.preventDefault(); void accept(); }}>
      {asForm ? <Segments label="Input" value={mode.value} onChange={change} segments={[{ value: "form", text: "Form" }, { value: "json", text: "JSON" }]} /> : q.form?.reason && <p class="small muted">{q.form.reason}</p>}
      {mode.value === "form" && q.form ? (
        <FormFields form={q.form} value={value.value} states={seen.value?.fields ?? []} onChange={(v) => (value.value = v)} />
      ) : (
        <textarea class="input mono" aria-label="Content as JSON" rows={5} spellcheck={false} value={json.value} onInput={(e) => (json.value = e.currentTarget.value)} />
      )}
      <div class="small"><span class="muted">Content to send </span><code class="break" data-will-be-sent>{seen.value?.arguments_json ?? ""}</code></div>
      {mode.value === "json" && seen.value?.violations.map((v) => <Notice key={v.path + v.rule} tone="warn">{v.message}</Notice>)}
      {seen.value?.syntax && <Notice tone="bad">Line {seen.value.syntax.line}: {seen.value.syntax.message}</Notice>}
      <div class="question-foot">
        <button type="submit" class={"button " + (ok ? "primary" : "caution")}>{ok ? "Accept" : "Accept anyway"} <kbd>Ctrl ↵</kbd></button>
        <button type="button" class="button" onClick={() => void answer({ action: "decline" })}>Decline</button>
        <button type="button" class="button quiet" onClick={() => void answer({ action: "cancel" })}>Cancel</button>
      </div>
    </form>
  );
}
