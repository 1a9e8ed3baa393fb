// A sampling request. The user answers for the model.
import { useSignal } from "@preact/signals";
import type { Answer, Question } from "../../api.gen";
import { MessageList } from "./messages";

export function Sampling({ question: q, answer }: { question: Question; answer: (a: Partial<Answer>) => void }) {
  const text = useSignal("");
  const model = useSignal("by-hand");
  const reason = useSignal("endTurn");
  const submit = () => answer({ action: "accept", text: text.value, model: model.value, stop_reason: reason.value });
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key !== "Enter" || !(e.ctrlKey || e.metaKey)) return;
    e.preventDefault();
    e.stopPropagation();
    submit();
  };
  return (
    <form class="stack" onKeyDown={onKeyDown} onSubmit={(e) => { e.preventDefault(); submit(); }}>
      {q.system_prompt && <p class="small muted break">System: {q.system_prompt}</p>}
      <MessageList messages={q.messages ?? []} />
      {q.max_tokens && <p class="small muted">At most {q.max_tokens} tokens.</p>}
      <label class="stack">
        <span class="field-name">Model response</span>
        <textarea class="input" aria-label="Model response" rows={3} value={text.value} onInput={(e) => (text.value = e.currentTarget.value)} />
      </label>
      <div class="row">
        <label class="stack grow">
          <span class="small muted">Model</span>
          <input class="input" aria-label="Model" value={model.value} onInput={(e) => (model.value = e.currentTarget.value)} />
        </label>
        <label class="stack grow">
          <span class="small muted">Stop reason</span>
          <input class="input" aria-label="Stop reason" value={reason.value} onInput={(e) => (reason.value = e.currentTarget.value)} />
        </label>
      </div>
      <div class="question-foot">
        <button type="submit" class="button primary">Send response <kbd>Ctrl ↵</kbd></button>
        <button type="button" class="button" onClick={() => answer({ action: "decline" })}>Decline</button>
      </div>
    </form>
  );
}
