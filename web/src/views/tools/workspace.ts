// What a person does with one tool: what was typed, what Go says about it, and the calls. It outlives the view, and what
// was typed outlives the page.
import { signal } from "@preact/signals";
import type { Call, Edit, Examination, FixInput, Link, NewCall, SampleInput, ToolForm, Typed, Value } from "../../api.gen";
import { get, path, post } from "../../api/client";
import { complain } from "../../components/toasts";
import { format } from "../../json/format";
import { stored, store } from "../../state/persist";
import { noteCall } from "./calls";

export interface Draft {
  mode: "form" | "json";
  value: Value;
  json: string;
}

const pause = 90; // milliseconds without a key before Go is asked
const largestDraft = 200_000;

export class Workspace {
  readonly form = signal<ToolForm | null>(null);
  readonly failure = signal("");
  readonly draft = signal<Draft>({ mode: "form", value: { state: "set" }, json: "{}" });
  readonly exam = signal<Examination | null>(null);
  readonly insisted = signal(false); // the person tried to run it: problems of untouched fields count too
  readonly shown = signal<number | null>(null); // the call whose result is in sight; null for the latest
  readonly asTask = signal(false);
  readonly busy = signal(true); // what is shown is not yet about what is typed

  private asked = 0;
  private timer = 0;
  private seed = 0;

  constructor(readonly link: string, readonly entry: string, readonly tool: string) {
    void this.load();
  }

  private get key(): string {
    return `draft:${this.entry}:${this.tool}`;
  }

  /** load reads the form, at first and when the tool may have changed. What was typed stays. */
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
      else this.examined(form.examination); // the form came with it
    } catch (e) {
      this.busy.value = false;
      this.failure.value = e instanceof Error ? e.message : String(e);
    }
  }

  private typed(): Typed {
    const { mode, value, json } = this.draft.value;
    return mode === "form" ? { tool: this.tool, value } : { tool: this.tool, json };
  }

  /** examine asks what would be sent. An answer that was overtaken by a later question is not shown. */
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
    this.asked++; // whatever is under way is about something else
    this.busy.value = true;
    this.timer = window.setTimeout(() => void this.examine().catch(complain), pause);
  }

  setValue(value: Value): void {
    this.change({ ...this.draft.value, value });
  }

  setJson(json: string): void {
    this.change({ ...this.draft.value, json });
  }

  /** switchTo changes between form and JSON; what is there goes along. Broken JSON stays where it can be mended. */
  async switchTo(mode: Draft["mode"]): Promise<void> {
    const draft = this.draft.value;
    if (mode === draft.mode) return;
    const exam = await this.examine();
    if (mode === "json") return this.change({ ...draft, mode, json: readable(exam.arguments_json) });
    if (exam.value) return this.change({ ...draft, mode, value: exam.value });
    const wrong = exam.syntax ? `line ${exam.syntax.line}, column ${exam.syntax.column}: ${exam.syntax.message}` : "arguments are an object, in { }";
    throw new Error("The form cannot show this JSON yet; " + wrong);
  }

  /** take asks for arguments and puts them in the place of those that are there. */
  private async take(route: string, input: SampleInput | FixInput): Promise<void> {
    this.busy.value = true;
    const exam = await post<Examination>(path("links", this.link, route), input).finally(() => (this.busy.value = false));
    const draft = this.draft.value;
    const json = readable(exam.arguments_json);
    if (draft.mode === "form" && exam.value) this.change({ ...draft, value: exam.value });
    else this.change({ ...draft, mode: "json", json });
    await this.examine();
  }

  /** example fills in arguments made up from the schema; each time others. */
  async example(): Promise<void> {
    await this.take("sample", { tool: this.tool, seed: this.seed++ });
  }

  /** fix applies a correction that is on offer. */
  async fix(edits: Edit[]): Promise<void> {
    const exam = await this.examine();
    await this.take("fix", { tool: this.tool, arguments_json: exam.arguments_json, edits });
  }

  /** reset goes back to what the form shows before anything is typed. */
  reset(): void {
    const form = this.form.value;
    if (!form) return;
    this.insisted.value = false;
    this.change({ mode: this.draft.value.mode, value: form.start, json: form.examination.arguments_json || "{}" });
    store(this.key, undefined);
  }

  /** use takes over a draft that was kept elsewhere. */
  async use(draft: Draft): Promise<void> {
    this.change(draft);
    await this.examine();
  }

  /** run sends what is typed now. Held back are only arguments that the schema forbids, unless the person insists. */
  async run(anyway: boolean): Promise<boolean> {
    const exam = await this.examine();
    this.insisted.value = !exam.ok;
    if (exam.syntax || (!exam.ok && !anyway)) return false;
    await this.send({ method: "tools/call", name: this.tool, arguments_json: exam.arguments_json, anyway: !exam.ok, as_task: this.asTask.value });
    return true;
  }

  async send(call: NewCall): Promise<void> {
    const begun = await post<Call>(path("links", this.link, "calls"), call);
    noteCall(begun);
    this.shown.value = begun.n;
  }
}

/** readable breaks long JSON into lines; short JSON stays as it is. */
function readable(json: string): string {
  return json.length > 60 ? format(json) : json;
}

const workspaces = new Map<string, { opened: string; workspace: Workspace }>();

// entryOf is what a person's work is kept by: the server, also in another run. One of the command line may be another then.
function entryOf(link: Link): string {
  return link.server === "given" ? "given " + link.address : link.server || link.name;
}

/** workspaceOf is the workspace of a tool of a connection. One that is opened anew has a new one; until it is open, the old
    one stays in sight, since nobody could be asked for another form. */
export function workspaceOf(link: Link, tool: string): Workspace {
  const key = `${link.id} ${tool}`;
  const opened = link.state === "open" ? link.since : "";
  const known = workspaces.get(key);
  if (known && (opened === "" || known.opened === opened)) return known.workspace;
  const workspace = new Workspace(link.id, entryOf(link), tool);
  workspaces.set(key, { opened, workspace });
  return workspace;
}
