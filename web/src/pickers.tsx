// The lists that open over the page with one key: commands, the history of calls, and saved calls.
import type { Call, Link } from "./api.gen";
import { Palette } from "./components/palette";
import { clock, duration } from "./components/size";
import { showError } from "./components/toasts";
import { commands, picker, type Command } from "./state/commands";
import { current } from "./state/links";
import { go } from "./state/route";
import { callsOf } from "./views/tools/calls";
import { allSaved, type Saved } from "./views/tools/savedcalls";
import { entryOf, workspaceOf } from "./views/tools/workspace";

const rerun = (what: string) => <><kbd>↵</kbd> {what} &nbsp; <kbd>Ctrl ↵</kbd> runs it again</>;

export function Pickers() {
  const link = current.value;
  const close = () => (picker.value = "");
  switch (picker.value) {
    case "commands":
      return <Palette label="Command palette" hint="Find a command, server or tool" all={commands()} onClose={close} />;
    case "history":
      return <Palette label="History of calls" hint="Find a call by tool or arguments" none={link ? "No calls of this connection yet" : "No server connected"} all={link ? callsOf(link.id).value.map((c) => pastCall(link, c)) : []} onClose={close} foot={rerun("shows the call")} />;
    case "saved":
      return <Palette label="Saved calls" hint="Find a saved call by name, tool or arguments" none={link ? "No saved calls of this server" : "No server connected"} all={link ? allSaved(entryOf(link)).map((s) => savedCall(link, s.tool, s.saved)) : []} onClose={close}
        foot={<><kbd>↵</kbd> fills in the arguments &nbsp; <kbd>Ctrl ↵</kbd> also runs them. Save arguments with the star in the Tools view.</>} />;
  }
  return null;
}

const viewOf: Record<string, string> = { "tools/call": "tools", "prompts/get": "prompts", "resources/read": "resources" };

function pastCall(link: Link, call: Call): Command {
  const view = viewOf[call.method] ?? "wire";
  const show = () => {
    if (view !== "tools") return go(view, link.id, view === "wire" ? String(call.frames[0] ?? "") : call.name);
    const workspace = workspaceOf(link, call.name ?? "");
    workspace.shown.value = call.n;
    workspace.front.value = 2;
    go("tools", link.id, call.name);
  };
  const again = () => {
    const workspace = workspaceOf(link, call.name ?? "");
    workspace.front.value = 2;
    go("tools", link.id, call.name);
    void workspace.send({ method: call.method, name: call.name, arguments_json: call.arguments_json, anyway: true, as_task: call.as_task }).catch(showError);
  };
  const name = view === "wire" ? call.method : (call.name ?? call.method);
  return {
    title: `${name} ${call.arguments_json ?? ""}`, where: `#${call.n} · ${clock(call.started)} · ${duration(call.elapsed_ns)}`,
    icon: call.status === "running" || call.status === "waiting" ? "clock" : call.ok ? "check" : "alert", run: show, again: view === "tools" ? again : undefined,
  };
}

function savedCall(link: Link, tool: string, saved: Saved): Command {
  const use = async () => {
    go("tools", link.id, tool);
    await workspaceOf(link, tool).use(saved.draft);
  };
  const run = async () => {
    await use();
    const workspace = workspaceOf(link, tool);
    if (await workspace.run(false)) workspace.front.value = 2;
  };
  return { title: `${saved.name}  ${saved.sends ?? ""}`, where: tool, icon: "star", run: () => void use().catch(showError), again: () => void run().catch(showError) };
}
