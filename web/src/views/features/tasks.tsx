// The tasks of a connection: those that the server lists, and those created by calls on this page.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Call, Calls, Link } from "../../api.gen";
import { get, path } from "../../api/client";
import { on } from "../../api/events";
import { Empty } from "../../components/empty";
import { Icon } from "../../components/icon";
import { JsonTree } from "../../components/jsontree";
import { Notice } from "../../components/notice";
import { plural } from "../../components/size";
import { showError } from "../../components/toasts";
import { children, root } from "../../json/spans";
import { current } from "../../state/links";
import { go, href, route } from "../../state/route";
import { ask } from "./call";
import { NotConnected } from "./notconnected";

/** A Task in its last reported state. */
interface Task {
  id: string;
  status: string;
  json: string;
  call?: Call;
}

export function TasksView() {
  const link = current.value;
  return link?.state === "open" ? <Tasks key={link.id} link={link} /> : <NotConnected link={link} icon="tasks" what="tasks" />;
}

function Tasks({ link }: { link: Link }) {
  const tasks = useSignal<Task[] | null>(null);
  const problem = useSignal("");
  const load = async () => {
    const [calls, listed] = await Promise.all([get<Calls>(path("links", link.id, "calls")), listTasks(link)]);
    problem.value = listed.problem;
    const own = calls.calls.filter((c) => c.task);
    const all = listed.tasks.map((t) => ({ ...t, call: own.find((c) => c.task === t.id) }));
    for (const c of own) if (!all.some((t) => t.id === c.task)) all.push({ id: c.task!, status: c.status, json: "", call: c });
    tasks.value = all;
  };
  const reload = () => void load().catch(showError);
  useEffect(reload, [link.id]);
  useEffect(() => on("call", (e) => e.link === link.id && e.call?.task && reload()), [link.id]);
  const chosen = tasks.value?.find((t) => t.id === route.value.item);
  if (tasks.value?.length === 0) {
    return (
      <Empty icon="tasks" title="No tasks">
        <p>{link.declares.includes("tasks") ? "Run a tool as a task and it appears here." : "The server does not declare the tasks capability. Tasks created by calls still appear here."}</p>
        {problem.value && <p class="small">{problem.value}</p>}
        <button type="button" class="button" onClick={reload}><Icon name="reload" />Refresh</button>
      </Empty>
    );
  }
  return (
    <div class="panes offer two tasks" data-front={chosen ? "1" : "0"}>
      <section class="pane" aria-label="Tasks">
        <div class="pane-head"><h2 class="grow">{plural(tasks.value?.length ?? 0, "task")}</h2><button type="button" class="button slim" onClick={reload}><Icon name="reload" />Refresh</button></div>
        <ul class="scroll grow task-list">
          {(tasks.value ?? []).map((t) => (
            <li key={t.id}>
              <button type="button" class="op-choice" aria-current={t.id === chosen?.id} onClick={() => go("tasks", link.id, t.id)}>
                <b class="row"><span class="cut grow mono">{t.call?.name ?? t.id}</span><Status status={t.status} /></b>
                <span class="cut mono">{t.id}</span>
              </button>
            </li>
          ))}
        </ul>
      </section>
      {chosen ? <TaskPane key={chosen.id} link={link} task={chosen} onChange={reload} /> : (
        <section class="pane" aria-label="Task"><Empty icon="tasks" title="Choose a task" /></section>
      )}
    </div>
  );
}

function TaskPane({ link, task, onChange }: { link: Link; task: Task; onChange: () => void }) {
  const answer = useSignal<Call | null>(null);
  const does = (method: string) => async () => {
    try {
      answer.value = await ask(link.id, { method, params_json: JSON.stringify({ taskId: task.id }) });
      onChange();
    } catch (problem) {
      showError(problem);
    }
  };
  const got = answer.value;
  const over = ["completed", "failed", "cancelled", "done"].includes(task.status);
  return (
    <section class="pane" aria-label="Task">
      <div class="pane-head wrap">
        <button type="button" class="button quiet slim icon back" aria-label="Back to the list" onClick={() => go("tasks", link.id)}><Icon name="back" /></button>
        <h2 class="cut grow mono">{task.id}</h2>
        <button type="button" class="button slim" onClick={does("tasks/get")}>Get status</button>
        {link.era === "legacy" && <button type="button" class="button slim" onClick={does("tasks/result")}>Get result</button>}
        <button type="button" class={"button slim" + (over ? "" : " danger")} title={over ? "The task is over: the server should reject this" : undefined} onClick={does("tasks/cancel")}>Cancel</button>
      </div>
      <div class="pane-body scroll stack gap-wide" tabIndex={0} role="region" aria-label="Task details">
        {task.call && <p class="muted">From <a href={href("tools", link.id, task.call.name)}>call {task.call.n}, {task.call.name}</a>, <Status status={task.call.status} /></p>}
        {got?.verdicts?.rpc && <Notice tone="bad"><b class="mono">{got.verdicts.rpc.code}</b> {got.verdicts.rpc.message}</Notice>}
        {got?.verdicts?.transport && <Notice tone="bad">{got.verdicts.transport.message}</Notice>}
        {got?.result_json ? <JsonTree text={got.result_json} label={"Response to " + got.method} /> : task.json && <JsonTree text={task.json} label="Task" />}
      </div>
    </section>
  );
}

const tones: Record<string, string> = { completed: "good", done: "good", failed: "bad", cancelled: "warn", input_required: "warn", waiting: "warn" };

function Status({ status }: { status: string }) {
  return <span class={"badge " + (tones[status] ?? "accent")}>{status.replaceAll("_", " ")}</span>;
}

// listTasks requests the list, if the server declares tasks.
async function listTasks(link: Link): Promise<{ tasks: Task[]; problem: string }> {
  if (!link.declares.includes("tasks") || link.era !== "legacy") return { tasks: [], problem: "" };
  const call = await ask(link.id, { method: "tasks/list", params_json: "{}" });
  if (call.verdicts?.rpc) return { tasks: [], problem: call.verdicts.rpc.message };
  return { tasks: readTasks(call.result_json ?? ""), problem: "" };
}

// readTasks extracts the tasks from the response, so that each is shown verbatim.
function readTasks(text: string): Task[] {
  const whole = root(text);
  const list = whole && children(text, whole).find((c) => c.key === "tasks");
  return (list ? children(text, list) : []).map((span) => {
    const json = text.slice(span.start, span.end);
    const read = JSON.parse(json) as { taskId?: string; status?: string };
    return { id: read.taskId ?? "", status: read.status ?? "", json };
  });
}
