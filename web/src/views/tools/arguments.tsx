// The middle pane: the tool and its arguments.
import { useLayoutEffect } from "preact/hooks";
import type { Item, Link } from "../../api.gen";
import { JsonEditor } from "../../components/editor";
import { FormFields } from "../../components/form/form";
import { Icon } from "../../components/icon";
import { Notice } from "../../components/notice";
import { Segments } from "../../components/segments";
import { showError } from "../../components/toasts";
import { format } from "../../json/format";
import { About } from "./about";
import { RunBar } from "./runbar";
import { SavedMenu } from "./saved";
import type { Workspace } from "./workspace";

interface Props {
  link: Link;
  tool: Item;
  workspace: Workspace;
  onBack: () => void;
  onRun: () => void;
}

export function ArgumentsPane({ link, tool, workspace, onBack, onRun }: Props) {
  const form = workspace.form.value;
  const { mode } = workspace.draft.value;
  const run = (anyway: boolean) => workspace.run(anyway).then((sent) => (sent ? onRun() : toFirstProblem()), showError);
  useLayoutEffect(() => {
    const onKeyDown = (e: KeyboardEvent) => {
      if (e.key !== "Enter" || !(e.ctrlKey || e.metaKey) || e.defaultPrevented || document.querySelector("[role=dialog]")) return;
      e.preventDefault();
      void run(false);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [workspace]);
  return (
    <section class="pane" aria-label="Arguments" aria-busy={workspace.busy.value}>
      <div class="pane-head">
        <button type="button" class="button quiet icon back" aria-label="Back to the list" onClick={onBack}><Icon name="back" /></button>
        <h1 class="mono cut grow" title={tool.name}>{tool.name}</h1>
        {form?.form.mode === "form" && (
          <Segments label="Input mode" value={mode} onChange={(m) => void workspace.switchTo(m as "form" | "json").catch(showError)}
            segments={[{ value: "form", text: "Form" }, { value: "json", text: "JSON" }]} />
        )}
        <button type="button" class="button quiet slim" title="Fill with an example generated from the schema" onClick={() => void workspace.example().catch(showError)}><Icon name="wand" /> <span class="word">Example</span></button>
        <SavedMenu workspace={workspace} onRun={run} />
      </div>
      <div class="scroll grow pane-body">
        <About tool={tool} form={form} />
        {workspace.failure.value && <Notice tone="bad">{workspace.failure.value}</Notice>}
        {form && <Inputs workspace={workspace} />}
      </div>
      <RunBar link={link} tool={tool} workspace={workspace} onRun={run} />
    </section>
  );
}

function toFirstProblem(): void {
  const field = document.querySelector(".field:has(> .problem) .input, .field:has(> .problem) input, [data-path]:has(> .problem) input, .json-editor [contenteditable], .json-editor textarea");
  if (field instanceof HTMLElement) field.focus();
}

function Inputs({ workspace }: { workspace: Workspace }) {
  const { form } = workspace.form.value!;
  const { mode, value, json } = workspace.draft.value;
  const exam = workspace.exam.value;
  if (mode === "form") {
    if (form.fields.length === 0 && !form.variants && !form.items) return <p class="muted">This tool has no arguments. Use JSON to send some anyway.</p>;
    return (
      <div class={workspace.insisted.value ? "insisted" : ""}>
        <FormFields form={form} value={value} states={exam?.fields ?? []} onChange={(v) => workspace.setValue(v)} />
      </div>
    );
  }
  return (
    <div class="stack">
      {form.mode !== "form" && <p class="muted small">JSON only: {form.reason}</p>}
      <JsonEditor label="Arguments as JSON" value={json} onInput={(text) => workspace.setJson(text)} />
      <div class="row">
        {exam?.syntax ? <p class="problem grow" role="alert">Line {exam.syntax.line}, column {exam.syntax.column}: {exam.syntax.message}</p> : <span class="grow" />}
        <button type="button" class="button quiet slim" onClick={() => workspace.setJson(format(json))}>Format JSON</button>
      </div>
      {!exam?.syntax && exam?.notices.map((n) => <p class="small muted">{n.message}</p>)}
    </div>
  );
}
