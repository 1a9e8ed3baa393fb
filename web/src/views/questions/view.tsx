// The pending requests of one kind, of all servers.
import type { IconName } from "../../components/icon";
import { Empty } from "../../components/empty";
import { links } from "../../state/links";
import { Card } from "./card";
import { kindOf } from "./kinds";

export function ElicitationView() {
  return <Pending kind="elicitation" title="Elicitation" icon="questions" what="A server requests input with a form, or asks you to open a URL, usually during a tool call." />;
}

export function SamplingView() {
  return <Pending kind="sampling" title="Sampling" icon="wand" what="A server requests a response of a model, usually during a tool call. You respond for the model." />;
}

function Pending({ kind, title, icon, what }: { kind: "elicitation" | "sampling"; title: string; icon: IconName; what: string }) {
  const open = links.value.flatMap((link) => link.questions.filter((q) => kindOf(q) === kind).map((question) => ({ link, question })));
  return (
    <>
      <div class="page-head"><h1>{title}</h1>{open.length > 0 && <span class="badge warn">{open.length}</span>}</div>
      {open.length === 0 ? (
        <Empty icon={icon} title="No pending requests"><p>{what}</p><p>Requests appear here and below every other view.</p></Empty>
      ) : (
        <div class="page-body scroll page-scroll" tabIndex={0} role="region" aria-label={"Pending requests: " + title}>
          <div class="column narrow stack gap-wide">
            {open.map(({ link, question }) => <div key={link.id + question.id} class="card"><Card link={link} question={question} /></div>)}
          </div>
        </div>
      )}
    </>
  );
}
