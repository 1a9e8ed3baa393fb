// The work with one tool: the typed input, its validation by Go, and the calls. It outlives the view, and the input
// outlives the page.
import { signal } from "@preact/signals";
import type { Call, Edit, Examination, FixInput, Link, NewCall, SampleInput, ToolForm, Typed, Value } from "../../api.gen";
import { get, path, post } from "../../api/client";
import { remembering } from "../../components/form/values";
import { showError } from "../../components/toasts";
import { format } from "../../json/format";
import { stored, store } from "../../state/persist";
import { noteCall } from "./calls";

export interface Draft {
  mode: "form" | "json";
  value: Value;
  json: string;
}

const pause = 90; // milliseconds without a keystroke before a request to Go
const largestDraft = 200_000;

export class Workspace {
  readonly form = signal<ToolForm | null>(null);
  readonly failure = signal("");
  readonly draft = signal<Draft>({ mode: "form", value: { state: "set" }, json: "{}" });
  readonly exam = signal<Examination | null>(null);
  readonly insisted = signal(false); // the user tried to run it: problems of untouched fields are shown as well
  readonly shown = signal<number | null>(null); // the call whose result is shown; null for the latest
  readonly front = signal(1); // the pane that a narrow page shows: list, arguments or result
  readonly asTask = signal(false);
  readonly busy = signal(true); // the shown validation is outdated

  private asked = 0;
  private timer = 0;
  private seed = 0;

  constructor(readonly link: string, readonly entry: string, readonly tool: string) {
    void this.load();
  }

  private get key(): string {
    return `draft:${this.entry}:${this.tool}`;
  }

  /** load reads the form, at first and when the tool may have changed. The input is kept. */
  async load(): Promise<void> {
    try {
      const form = await get<ToolForm>(path("links", this.link, "form") + "?tool=" + encodeURIComponent(this.tool));
      const start: Draft = { mode: form.form.mode === "form" ? "form" : "json", value: form.start, json: form.examination.arguments_json || "{}" };
      const kept = stored<Draft | null>(this.key, null);
      const draft = kept ?? start;
      if (form.form.mode !== "form") draft.mode = "json";
      this.draft.value = draft;
      this.form.value = form;
      this.failure.value = "";
      if (kept || draft.mode === "json") await this.examine();
      else this.examined(form.examination); // it was part of the form
    } catch (e) {
      this.busy.value = false;
      this.failure.value = e instanceof Error ? e.message : String(e);
    }
  }

  private typed(): Typed {
    const { mode, value, json } = this.draft.value;
    return mode === "form" ? { tool: this.tool, value } : { tool: this.tool, json };
  }

  /** examine validates the input. The response to an outdated request is ignored. */
  async examine(): Promise<Examination> {
    clearTimeout(this.timer);
    const number = ++this.asked;
    this.busy.value = true;
    try {
      const exam = await post<Examination>(path("links", this.link, "arguments"), this.typed());
      if (number === this.asked) this.exam.value = exam;
      return exam;
    } finally {
      if (number === this.asked) this.busy.value = false;
    }
  }

  private examined(exam: Examination): void {
    this.asked++;
    this.exam.value = exam;
    this.busy.value = false;
  }

  private change(draft: Draft): void {
    this.draft.value = draft;
    if (draft.json.length < largestDraft) store(this.key, draft);
    clearTimeout(this.timer);
    this.asked++; // requests in flight are outdated
    this.busy.value = true;
    this.timer = window.setTimeout(() => void this.examine().catch(showError), pause);
  }

  setValue(value: Value): void {
    this.change({ ...this.draft.value, value });
  }

  setJson(json: string): void {
    this.change({ ...this.draft.value, json });
  }

  /** switchTo switches between form and JSON and converts the input. Invalid JSON stays in the editor to be fixed. */
  async switchTo(mode: Draft["mode"]): Promise<void> {
    const draft = this.draft.value;
    if (mode === draft.mode) return;
    const exam = await this.examine();
    if (mode === "json") return this.change({ ...draft, mode, json: readable(exam.arguments_json) });
    if (exam.value) return this.change({ ...draft, mode, value: remembering(exam.value, draft.value) });
    const wrong = exam.syntax ? `line ${exam.syntax.line}, column ${exam.syntax.column}: ${exam.syntax.message}` : "arguments must be an object";
    throw new Error("The form cannot show this JSON: " + wrong);
  }

  /** take requests arguments and replaces the current ones. */
  private async take(route: string, input: SampleInput | FixInput): Promise<void> {
    this.busy.value = true;
    const exam = await post<Examination>(path("links", this.link, route), input).finally(() => (this.busy.value = false));
    const draft = this.draft.value;
    const json = readable(exam.arguments_json);
    if (draft.mode === "form" && exam.value) this.change({ ...draft, value: exam.value });
    else this.change({ ...draft, mode: "json", json });
    await this.examine();
  }

  /** example fills in arguments generated from the schema, different ones each time. */
  async example(): Promise<void> {
    await this.take("sample", { tool: this.tool, seed: this.seed++ });
  }

  /** fix applies a suggested fix. */
  async fix(edits: Edit[]): Promise<void> {
    const exam = await this.examine();
    await this.take("fix", { tool: this.tool, arguments_json: exam.arguments_json, edits });
  }

  /** reset restores the initial state of the form. */
  reset(): void {
    const form = this.form.value;
    if (!form) return;
    this.insisted.value = false;
    this.change({ mode: form.form.mode === "form" ? "form" : "json", value: form.start, json: form.examination.arguments_json || "{}" });
    store(this.key, undefined);
  }

  /** use replaces the draft with a saved one. */
  async use(draft: Draft): Promise<void> {
    this.change(draft);
    await this.examine();
  }

  /** run sends the current arguments, unless the schema forbids them and the user does not insist. */
  async run(anyway: boolean): Promise<boolean> {
    const exam = await this.examine();
    const converted = anyway ? undefined : exam.converted_json;
    this.insisted.value = !exam.ok && !converted;
    if (exam.syntax || (!exam.ok && !anyway && !converted)) return false;
    await this.send({ method: "tools/call", name: this.tool, arguments_json: converted ?? exam.arguments_json, anyway: !exam.ok && !converted, as_task: this.asTask.value });
    return true;
  }

  async send(call: NewCall): Promise<void> {
    const begun = await post<Call>(path("links", this.link, "calls"), call);
    noteCall(begun);
    this.shown.value = begun.n;
  }
}

/** readable breaks long JSON into lines; short JSON is unchanged. */
function readable(json: string): string {
  return json.length > 60 ? format(json) : json;
}

const workspaces = new Map<string, { opened: string; workspace: Workspace }>();

/** entryOf is the storage key of the user's work: the server, also in another run. A command-line server may differ
    then. */
export function entryOf(link: Link): string {
  return link.server === "given" ? "given " + link.address : link.server || link.name;
}

/** workspaceOf is the workspace of a tool of a connection. A reopened connection has a new one; until it is open, the old
    one stays visible, because a new form cannot be requested. */
export function workspaceOf(link: Link, tool: string): Workspace {
  const key = `${link.id} ${tool}`;
  const opened = link.state === "open" ? link.since : "";
  const known = workspaces.get(key);
  if (known && (opened === "" || known.opened === opened)) return known.workspace;
  const workspace = new Workspace(link.id, entryOf(link), tool);
  workspaces.set(key, { opened, workspace });
  return workspace;
}
