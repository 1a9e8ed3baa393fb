// Tool search: where the searches of hosts rank the tools of a server, and what to change.
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { Link, Operation } from "../../api.gen";
import { Empty } from "../../components/empty";
import { Icon } from "../../components/icon";
import { useCommands } from "../../state/commands";
import { current, hello } from "../../state/links";
import { NotConnected } from "../features/notconnected";
import { runOf, start, stop } from "../quality/run";
import { RunSummary } from "../quality/runsummary";
import { Edits, Engines, Shadows } from "./problems";
import { inputOf, Queries, typedOf } from "./queries";
import { readFound, type Found } from "./result";
import { Ranks } from "./table";

export function FindView() {
  const link = current.value;
  const operation = hello.value?.operations.find((o) => o.name === "find");
  return link?.state === "open" && operation ? <Find key={link.id} link={link} operation={operation} /> : <NotConnected link={link} icon="search" what="tool search" />;
}

function Find({ link, operation }: { link: Link; operation: Operation }) {
  const run = runOf(link.id, operation.name).value;
  const choosing = useSignal(false); // on a narrow page: back to the queries
  const running = run.state === "running";
  const begin = () => {
    choosing.value = false;
    void start(link.id, operation, inputOf(link, typedOf(link).value));
  };
  useCommands(() => [{ title: "Search tools", where: "Tool search", icon: "play", run: begin }]);
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key !== "Enter" || !(e.ctrlKey || e.metaKey) || running) return;
    e.preventDefault();
    begin();
  };
  const found = useMemo(() => readFound(run.result), [run.result]);
  return (
    <div class="panes quality lens" data-front={run.state === "idle" || choosing.value ? "0" : "1"} onKeyDown={onKeyDown}>
      <section class="pane" aria-label="Queries">
        <div class="pane-head"><h1 class="cut">Tool search</h1></div>
        <div class="pane-body scroll stack gap-wide"><Queries link={link} /></div>
        <div class="pane-foot row">
          {running
            ? <button type="button" class="button" onClick={() => stop(link.id, operation.name)}><Icon name="stop" />Stop</button>
            : <button type="button" class="button primary grow" onClick={begin}><Icon name="play" />Search tools <kbd>Ctrl ↵</kbd></button>}
        </div>
      </section>
      <section class="pane" aria-label="Results">
        <RunSummary run={run} name={operation.name} judged backTo="queries" onBack={() => (choosing.value = true)} />
        <div class="pane-body scroll" tabIndex={0} role="region" aria-label="Results">
          {run.state === "done" && found ? <Results link={link} found={found} /> : run.state === "idle" && (
            <Empty icon="search" title="Not searched yet">
              <p>Codex and Claude Code do not pass all tools to the model: the model has to search. Shows where their searches, and that of the gateway, rank the tools of this server.</p>
            </Empty>
          )}
        </div>
      </section>
    </div>
  );
}

function Results({ link, found }: { link: Link; found: Found }) {
  if (found.queries.length === 0) return <Empty icon="search" title="No tools to search"><p>The server lists no tools.</p></Empty>;
  return (
    <div class="column dashboard">
      <Engines link={link} engines={found.engines} />
      {found.unasked ? <p class="notice"><Icon name="info" />The server has too many tools: {found.unasked} of them were searched, but have no queries of their own.</p> : null}
      <Shadows link={link} engines={found.engines} />
      <Edits link={link} found={found} />
      <Ranks link={link} found={found} />
    </div>
  );
}
