// The host of one view: the order of the messages, what the view may request, and the end of it. It shows nothing itself.
import type { App, AppReply } from "../../api.gen";
import { capabilitiesOf, changing, contextOf, type Shown } from "./context";
import { entryOf, isMessage, modes, revision, textAt, type Entry, type Id, type Message, type Mode } from "./protocol";
import { Size } from "./size";

/** Surroundings are what the host needs from the page. */
export interface Surroundings {
  shown: () => Shown;
  request: (method: string, paramsJson: string) => Promise<AppReply>; // to the server of the view
  openLink: (url: string) => Promise<boolean>; // asks the user
  setMode: (mode: Mode) => void;
  ended: () => void; // the view has requested its end
  changed: () => void;
}

export type Phase = "loading" | "loaded" | "initialized" | "ended";

const keptEntries = 500;
const maxPending = 16; // requests of the view

export class Host {
  phase: Phase = "loading";
  readonly entries: Entry[] = [];
  readonly size = new Size();
  readonly faults: string[] = []; // how the view violates the order of messages
  initializes = 0; // requests of ui/initialize
  logged = 0;
  pending = 0; // requests of the view
  dropped = 0; // messages that the sandbox did not pass on
  appInfo = "";

  private given = false; // there are arguments
  private input: unknown = {};
  private result: unknown;
  private inputSent = false;
  private nextId = 1;
  private opened = performance.now();
  private readonly sent = new Map<Id, { method: string; done: (m: Message) => void }>(); // our requests

  constructor(
    readonly frame: HTMLIFrameElement,
    readonly app: App,
    private readonly around: Surroundings,
  ) {
    addEventListener("message", this.onMessage);
  }

  /** deliver sends the arguments and the result of a call, as soon as the view is initialized. A call without a result is in flight. */
  deliver(input: unknown, result?: unknown): void {
    this.given = true;
    this.input = input;
    this.result = result;
    this.flush();
  }

  /** cancelled reports that the call was cancelled. */
  cancelled(reason: string): void {
    if (this.phase === "initialized") this.notify("tool-cancelled", { reason });
  }

  /** contextChanged reports another theme, size or mode. */
  contextChanged(): void {
    if (this.phase === "initialized") this.notify("host-context-changed", changing(this.around.shown()));
  }

  /** end asks the view to save its state, and stops listening. It returns whether the view responded in time. */
  async end(within = 1000): Promise<boolean> {
    const was = this.phase;
    if (was === "ended") return true;
    const answered = was === "initialized" && (await this.request("ui/resource-teardown", {}, within)) !== null;
    this.phase = "ended";
    removeEventListener("message", this.onMessage);
    this.frame.removeAttribute("src");
    this.around.changed();
    return answered;
  }

  /** request sends a request to the view; null if it does not respond. */
  request(method: string, params: unknown, within: number): Promise<Message | null> {
    const id = "host-" + this.nextId++;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(null), within);
      this.sent.set(id, { method, done: (m) => (clearTimeout(timer), resolve(m)) });
      this.post({ id, method, params });
    });
  }

  private notify(name: string, params: unknown): void {
    this.post({ method: "ui/notifications/" + name, params });
  }

  private post(message: Message, answered = ""): void {
    const whole = { jsonrpc: "2.0", ...message };
    this.note("host", whole, answered);
    this.frame.contentWindow?.postMessage(whole, this.app.frame_origin);
  }

  private note(from: Entry["from"], message: Message, answered = ""): void {
    this.entries.push(entryOf(++this.logged, performance.now() - this.opened, from, message, answered));
    if (this.entries.length > keptEntries) this.entries.shift();
    this.around.changed();
  }

  private fault(text: string): void {
    if (!this.faults.includes(text) && this.faults.length < 20) this.faults.push(text);
  }

  private readonly onMessage = (e: MessageEvent): void => {
    if (e.source === null || e.source !== this.frame.contentWindow || e.origin !== this.app.frame_origin) return;
    const message: unknown = e.data;
    if (!isMessage(message)) return this.fault("a message is not a JSON-RPC message");
    if (message.method?.startsWith("ui/notifications/sandbox-")) return this.ofSandbox(message);
    this.note("view", message, message.id !== undefined ? this.sent.get(message.id)?.method : "");
    if (message.method === undefined) return this.answered(message);
    if (message.id === undefined) return this.notified(message.method, message.params);
    void this.requested(message.id, message.method, message.params);
  };

  private ofSandbox(message: Message): void {
    this.note("sandbox", message);
    if (message.method?.endsWith("proxy-ready")) {
      // The sandbox serves the HTML with its policy as a header, so it is not part of the message.
      this.notify("sandbox-resource-ready", { csp: this.app.csp, permissions: this.app.permissions });
    } else if (message.method?.endsWith("view-loaded")) {
      if (this.phase === "loading") this.phase = "loaded";
      this.around.changed();
    } else if (message.method?.endsWith("dropped")) {
      this.dropped += Number((message.params as { count?: unknown } | undefined)?.count) || 1;
    }
  }

  private answered(message: Message): void {
    const known = this.sent.get(message.id!);
    this.sent.delete(message.id!);
    if (known) known.done(message);
    else this.fault("a response to a request that the host did not send");
  }

  private notified(method: string, params: unknown): void {
    switch (method) {
      case "ui/notifications/initialized":
        if (this.initializes === 0) return this.fault("initialized before ui/initialize");
        this.phase = "initialized";
        this.flush();
        break;
      case "ui/notifications/size-changed":
        this.size.report(params, performance.now());
        break;
      case "ui/notifications/request-teardown":
        this.around.ended();
        break;
    }
    this.around.changed();
  }

  /** flush sends what the view waits for: the arguments once, then the result. Nothing is sent before initialized. */
  private flush(): void {
    if (this.phase !== "initialized" || !this.given) return;
    if (!this.inputSent) this.notify("tool-input", { arguments: this.input });
    this.inputSent = true;
    if (this.result !== undefined) this.notify("tool-result", this.result);
  }

  private async requested(id: Id, method: string, params: unknown): Promise<void> {
    if (this.pending >= maxPending) return this.refuse(id, method, -32000, "too many requests in flight");
    this.pending++;
    try {
      const answer = await this.handle(method, params);
      if (this.phase === "ended") return;
      if ("error" in answer) this.post({ id, error: answer.error }, method);
      else this.post({ id, result: answer.result }, method);
    } catch (error) {
      this.refuse(id, method, -32603, error instanceof Error ? error.message : String(error));
    } finally {
      this.pending--;
    }
  }

  private refuse(id: Id, method: string, code: number, message: string): void {
    if (this.phase !== "ended") this.post({ id, error: { code, message } }, method);
  }

  private async handle(method: string, params: unknown): Promise<{ result: unknown } | { error: { code: number; message: string } }> {
    if (method !== "ui/initialize" && method !== "ping" && this.initializes === 0) this.fault(`${method} before ui/initialize`);
    switch (method) {
      case "ui/initialize":
        return { result: this.initialize(params) };
      case "ping":
      case "ui/message":
      case "ui/update-model-context":
        return { result: {} }; // the log shows it
      case "ui/open-link":
        return { result: (await this.openLink(textAt(params, "url"))) ? {} : { isError: true } };
      case "ui/request-display-mode":
        return { result: { mode: this.switchMode(textAt(params, "mode")) } };
    }
    if (!/^(tools|resources)\//.test(method)) return { error: { code: -32601, message: "the host does not support " + method.slice(0, 60) } };
    const reply = await this.around.request(method, params === undefined ? "" : JSON.stringify(params));
    if (reply.error_json) return { error: JSON.parse(reply.error_json) as { code: number; message: string } };
    return { result: JSON.parse(reply.result_json ?? "{}") as unknown };
  }

  private initialize(params: unknown): unknown {
    this.initializes++;
    if (this.initializes > 1) this.fault("ui/initialize was sent more than once: the view may be mounted twice");
    const p = (params ?? {}) as Record<string, unknown>;
    for (const name of ["appInfo", "appCapabilities"]) {
      if (typeof p[name] !== "object" || p[name] === null) this.fault(`ui/initialize has no ${name}`);
    }
    if (typeof p.protocolVersion !== "string") this.fault("ui/initialize has no protocolVersion");
    this.appInfo = textAt(p.appInfo, "name");
    return { protocolVersion: revision, hostInfo: { name: "mcptest", version: this.app.version }, hostCapabilities: capabilitiesOf(this.app), hostContext: contextOf(this.app, this.around.shown()) };
  }

  private async openLink(url: string): Promise<boolean> {
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) return false;
    return this.around.openLink(url);
  }

  private switchMode(mode: string): Mode {
    const known = modes.find((m) => m === mode);
    if (known && known !== this.around.shown().mode) this.around.setMode(known);
    return this.around.shown().mode;
  }
}
