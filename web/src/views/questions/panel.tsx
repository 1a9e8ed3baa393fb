// The pending requests of all servers, below every view except the one that lists them.
import { persisted } from "../../state/persist";
import { links } from "../../state/links";
import { route } from "../../state/route";
import { Icon } from "../../components/icon";
import { Card } from "./card";
import { kindOf } from "./kinds";

const folded = persisted("questions-folded", false);

export function QuestionPanel() {
  const listed = route.value.view;
  const open = links.value.flatMap((link) => link.questions.filter((q) => kindOf(q) !== listed).map((question) => ({ link, question })));
  if (open.length === 0) return null;
  return (
    <aside class="questions fade" aria-label="Requests from servers">
      <button type="button" class="questions-head" aria-expanded={!folded.value} onClick={() => (folded.value = !folded.value)}>
        <Icon name="questions" />
        <b class="grow" role="status">{open.length === 1 ? "A server is waiting for your response" : `${open.length} requests are waiting for your response`}</b>
        <Icon name={folded.value ? "up" : "down"} />
      </button>
      {!folded.value && (
        <div class="questions-list scroll" tabIndex={0} role="region" aria-label="Pending requests">
          {open.map(({ link, question }) => <Card key={link.id + question.id} link={link} question={question} />)}
        </div>
      )}
    </aside>
  );
}
