// The client side: pending requests of servers, and the roots.
import { Empty } from "../../components/empty";
import { linkTitle } from "../../components/state";
import { current, links } from "../../state/links";
import { Card } from "./card";
import { Roots } from "./roots";

export function QuestionsView() {
  const open = links.value.flatMap((link) => link.questions.map((question) => ({ link, question })));
  const link = current.value;
  return (
    <>
      <div class="page-head"><h1>Requests</h1>{link && <span class="muted cut">{linkTitle(link, links.value)}</span>}</div>
      <div class="page-body scroll page-scroll" tabIndex={0} role="region" aria-label="Requests and roots">
        <div class="column narrow">
          <section aria-label="Pending requests">
            <div class="section-head"><h2>Pending requests</h2>{open.length > 0 && <span class="badge warn">{open.length}</span>}</div>
            {open.length === 0 ? (
              <div class="card calm"><Empty icon="questions" title="No pending requests"><p>Elicitation and sampling requests appear here and in the corner of every view.</p></Empty></div>
            ) : <div class="stack gap-wide">{open.map(({ link: of, question }) => <div key={of.id + question.id} class="card"><Card link={of} question={question} /></div>)}</div>}
          </section>
          {link?.state === "open" && (
            <section aria-label="Roots">
              <div class="section-head"><h2>Roots</h2></div>
              <div class="card padded"><Roots key={link.id} link={link} /></div>
            </section>
          )}
        </div>
      </div>
    </>
  );
}
