// Short messages that disappear after a while.
import { signal } from "@preact/signals";
import { Failure } from "../api/client";
import { Icon } from "./icon";

interface Toast {
  id: number;
  tone: "good" | "bad";
  text: string;
}

const toasts = signal<Toast[]>([]);
let last = 0;

/** toast shows a short message. */
export function toast(text: string, tone: Toast["tone"] = "good"): void {
  const id = ++last;
  toasts.value = [...toasts.value, { id, tone, text }];
  setTimeout(() => (toasts.value = toasts.value.filter((t) => t.id !== id)), tone === "bad" ? 9000 : 2500);
}

/** showError shows an error, with a hint if there is one. */
export function showError(problem: unknown): void {
  if (problem instanceof DOMException && problem.name === "AbortError") return;
  const hint = problem instanceof Failure && problem.problem.hint ? " — " + problem.problem.hint : "";
  toast((problem instanceof Error ? problem.message : String(problem)) + hint, "bad");
}

/** copy copies text to the clipboard and confirms it. */
export async function copy(text: string, what = "Copied"): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(what);
  } catch {
    toast("Clipboard access was denied by the browser", "bad");
  }
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((t) => (
        <div key={t.id} class={"toast fade " + t.tone}>
          <Icon name={t.tone === "bad" ? "alert" : "check"} />
          <span>{t.text}</span>
        </div>
      ))}
    </div>
  );
}
