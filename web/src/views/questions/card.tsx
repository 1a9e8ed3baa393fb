// A request from a server, as a card to respond to. It is not modal: the user may look at the frames first.
import { useSignal } from "@preact/signals";
import type { Answer, Link, Question } from "../../api.gen";
import { path, post } from "../../api/client";
import { JsonTree } from "../../components/jsontree";
import { linkTitle } from "../../components/state";
import { showError } from "../../components/toasts";
import { links } from "../../state/links";
import { href } from "../../state/route";
import { clock } from "../../components/size";
import { Elicit } from "./elicit";
import { isSampling } from "./kinds";
import { Sampling } from "./sampling";
import { Visit } from "./urlelicitation";

export function Card({ link, question: q }: { link: Link; question: Question }) {
  const busy = useSignal(false);
  const answer = async (a: Partial<Answer>) => {
    if (busy.value) return;
    busy.value = true;
    try {
      await post(path("links", link.id, "answers"), { question: q.id, action: "accept", ...a });
    } catch (problem) {
      showError(problem);
    }
    busy.value = false;
  };
  const asks = isSampling(q) ? "requests a model response (sampling)" : q.mode === "url" ? "requests that you open a URL" : "requests input (elicitation)";
  const who = linkTitle(link, links.value);
  return (
    <article class="question" aria-label={`${who} ${asks}`} data-question={q.id}>
      <div class="question-head">
        <span class="cut"><b>{who}</b> {asks}</span>
        <span class="grow" />
        {q.call !== undefined && q.call > 0 && <a href={href("wire", link.id)}>call {q.call}</a>}
        <span class="tabular">{clock(q.asked)}</span>
      </div>
      {q.message && <p class="question-says">{q.message}</p>}
      {isSampling(q) ? <Sampling question={q} answer={answer} /> : q.mode === "url" ? <Visit question={q} answer={answer} /> : <Elicit link={link.id} question={q} answer={answer} />}
      <details class="small">
        <summary class="muted">Raw request</summary>
        <div class="scroll raw-question"><JsonTree text={q.params_json} label="Request params" /></div>
      </details>
    </article>
  );
}
