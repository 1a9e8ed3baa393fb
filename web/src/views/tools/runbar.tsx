// The footer of the arguments: the exact arguments to be sent, their problems, and the buttons.
import type { Examination, Item, Link } from "../../api.gen";
import { Icon } from "../../components/icon";
import { plural } from "../../components/size";
import { showError, copy } from "../../components/toasts";
import { callsOf, isOver } from "./calls";
import { CancelButton } from "./running";
import type { Workspace } from "./workspace";

interface Props {
  link: Link;
  tool: Item;
  workspace: Workspace;
  onRun: (anyway: boolean) => Promise<void>;
}

export function RunBar({ link, tool, workspace, onRun }: Props) {
  const exam = workspace.exam.value;
  const running = callsOf(link.id).value.find((c) => c.name === tool.name && c.method === "tools/call" && !isOver(c));
  const held = exam !== null && !exam.ok && !exam.converted_json;
  return (
    <div class="pane-foot runbar">
      <div class="will-be-sent">
        <span class="small muted">Arguments to send</span>
        <code class="sent" data-testid="will-be-sent" tabIndex={0} role="group" aria-label="Arguments to send">{exam ? exam.converted_json || exam.arguments_json || "not JSON yet" : " "}</code>
        <button type="button" class="button quiet icon slim" aria-label="Copy arguments" onClick={() => void copy(exam?.converted_json ?? exam?.arguments_json ?? "")}><Icon name="copy" /></button>
      </div>
      {exam && <Problems exam={exam} workspace={workspace} />}
      <div class="row wrap">
        <button type="button" class="button primary" data-testid="run" disabled={link.state !== "open"} aria-disabled={held} onClick={() => void onRun(false)}><Icon name="play" /> Run <kbd>Ctrl ↵</kbd></button>
        {exam?.converted_json && <button type="button" class="button" data-testid="anyway" disabled={link.state !== "open"} onClick={() => void onRun(true)}>Send as typed</button>}
        {held && !exam.syntax && <button type="button" class="button caution" data-testid="anyway" disabled={link.state !== "open"} onClick={() => void onRun(true)}>Send anyway</button>}
        {running && <CancelButton call={running} />}
        <span class="grow" />
        {tool.task_support === "optional" && (
          <label class="check small"><input type="checkbox" checked={workspace.asTask.value} onChange={(e) => (workspace.asTask.value = e.currentTarget.checked)} /> as a task</label>
        )}
        <button type="button" class="button quiet slim" onClick={() => workspace.reset()}>Reset</button>
      </div>
    </div>
  );
}

/** Problems lists problems without a field, and suggested fixes. */
function Problems({ exam, workspace }: { exam: Examination; workspace: Workspace }) {
  const inForm = workspace.draft.value.mode === "form";
  const placed = new Set(exam.fields.filter((f) => f.problem).map((f) => f.problem));
  const loose = exam.converted_json ? [] : [...exam.errors, ...exam.violations, ...exam.cautions].map((p) => p.message).filter((m) => !inForm || !placed.has(m));
  const count = inForm ? placed.size + loose.length : loose.length;
  const calm = !workspace.insisted.value && loose.length === 0 && exam.fields.every((f) => !f.problem || f.state === "unset");
  if (count === 0 && !exam.unchecked && !exam.warning && exam.fixes.length === 0) return null;
  return (
    <div class="problems" data-testid="problems">
      {exam.unchecked && <p class="warn small">{exam.unchecked}</p>}
      {exam.warning && <p class="warn small" data-testid="warning">{exam.warning}</p>}
      {inForm && placed.size > 0 && <p class={"small " + (calm ? "muted" : "bad")}>{plural(placed.size, "field")} {calm ? "to fill in" : "to check"}</p>}
      {loose.slice(0, 6).map((m) => <p class="problem">{m}</p>)}
      {loose.length > 6 && <p class="problem">and {loose.length - 6} more</p>}
      {exam.fixes.map((f) => (
        <p class="row small"><span class="grow">{exam.converted_json ? "Converted: " : ""}{f.message}</span><button type="button" class="button slim" onClick={() => void workspace.fix(f.edits).catch(showError)}>Apply</button></p>
      ))}
    </div>
  );
}
