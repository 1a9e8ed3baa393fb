// An elicitation in URL mode. The URL is opened only on a click, and is shown in full.
import type { Answer, Question } from "../../api.gen";
import { Notice } from "../../components/notice";

export function Visit({ question: q, answer }: { question: Question; answer: (a: Partial<Answer>) => void }) {
  const url = q.url ?? "";
  const open = () => {
    window.open(url, "_blank", "noopener,noreferrer");
    answer({ action: "accept" });
  };
  return (
    <div class="stack">
      <div class="url-box" data-url={url}><Emphasised url={url} host={q.url_host ?? ""} /></div>
      {q.url_problem ? (
        <Notice tone="bad">This URL cannot be opened: {q.url_problem}</Notice>
      ) : (
        <p class="small muted">Open it only if you trust <b>{q.url_host}</b>. That site receives what you enter.</p>
      )}
      <div class="question-foot">
        {!q.url_problem && <button type="button" class="button primary" onClick={open}>Open and accept</button>}
        <button type="button" class="button" onClick={() => answer({ action: "accept" })}>Accept without opening</button>
        <button type="button" class="button" onClick={() => answer({ action: "decline" })}>Decline</button>
        <button type="button" class="button quiet" onClick={() => answer({ action: "cancel" })}>Cancel</button>
      </div>
    </div>
  );
}

// Emphasised shows the URL with its host highlighted.
function Emphasised({ url, host }: { url: string; host: string }) {
  const at = host === "" ? -1 : url.indexOf(host);
  if (at < 0) return <>{url}</>;
  return <>{url.slice(0, at)}<b>{host}</b>{url.slice(at + host.length)}</>;
}
