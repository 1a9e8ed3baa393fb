// The tools of a connection: list, arguments and result side by side.
import { Empty } from "../../components/empty";
import { useCommands } from "../../state/commands";
import { current } from "../../state/links";
import { go, route } from "../../state/route";
import { wide } from "../../state/width";
import { NotConnected } from "../features/notconnected";
import { Starting } from "../servers/starting";
import { ArgumentsPane } from "./arguments";
import { ToolListPane } from "./listpane";
import { toolsOf } from "./lists";
import { ResultPane, WirePane } from "./result";
import { workspaceOf } from "./workspace";

export function ToolsView() {
  const link = current.value;
  const listed = link ? toolsOf(link).value.list : null;
  const items = listed?.items ?? [];
  useCommands(() => items.map((i) => ({ title: i.name, where: "Tool", icon: "tools", run: () => open(i.name) })));
  if (!link || (items.length === 0 && (link.state === "failed" || link.state === "closed" || link.state === "offline"))) return <NotConnected link={link} icon="tools" what="tools" />;
  const open = (tool: string) => {
    go("tools", link.id, tool);
    workspaceOf(link, tool).front.value = 1;
  };
  const tool = items.find((i) => i.name === route.value.item) ?? null;
  const workspace = tool ? workspaceOf(link, tool.name) : null;
  return (
    <div class={"panes tools" + (wide.value && tool ? " wide" : "")} data-front={workspace?.front.value ?? 0}>
      <ToolListPane link={link} selected={route.value.item} onSelect={open} />
      {tool && workspace ? (
        <>
          <ArgumentsPane key={tool.name} link={link} tool={tool} workspace={workspace} onBack={() => (workspace.front.value = 0)} onRun={() => (workspace.front.value = 2)} />
          <ResultPane key={tool.name + "-result"} link={link} tool={tool} workspace={workspace} onBack={() => (workspace.front.value = 1)} />
          {wide.value && <WirePane key={tool.name + "-wire"} link={link} tool={tool} workspace={workspace} />}
        </>
      ) : (
        <section class="pane span" aria-label="Arguments">
          <Empty icon="tools" title={items.length > 0 ? "Choose a tool" : link.state === "connecting" ? "Connecting" : listed ? "No tools" : "Reading the list of tools"}>
            {link.state === "connecting" && <p><Starting link={link} /></p>}
            <p>Arguments, result and protocol frames appear here side by side.</p>
            <p class="small"><kbd>/</kbd> filters, <kbd>j</kbd> and <kbd>k</kbd> move, <kbd>Ctrl</kbd> <kbd>Enter</kbd> runs.</p>
          </Empty>
        </section>
      )}
    </div>
  );
}
