// All servers, and the connections to them.
import { useSignal } from "@preact/signals";
import { Empty } from "../../components/empty";
import { Filter, matches } from "../../components/filter";
import { Icon } from "../../components/icon";
import { List } from "../../components/list";
import { Menu } from "../../components/menu";
import { Notice } from "../../components/notice";
import { useCommands } from "../../state/commands";
import { current, links, servers } from "../../state/links";
import { go, route } from "../../state/route";
import { AddDialog } from "./add";
import { entries, type Entry } from "./entries";
import { Grants } from "./grants";
import { ServerPane } from "./pane";
import { ServerRow } from "./row";
import { ExportDialog, ImportDialog } from "./transfer";

type Open = "" | "add" | "import" | "export";

export function ServersView() {
  const filter = useSignal("");
  const dialog = useSignal<Open>("");
  const all = entries(servers.value.servers, links.value);
  const found = filter.value === "" ? all : all.filter((e) => matches(filter.value, text(e)));
  const chosen = route.value.link;
  const shown = all.find((e) => e.id === chosen) ?? all.find((e) => e.links.some((l) => l.id === current.value?.id)) ?? null;
  const close = () => (dialog.value = "");
  useCommands(() => [
    { title: "Add a server", where: "Servers", icon: "plus", run: () => (dialog.value = "add") },
    { title: "Import mcp.json", where: "Servers", icon: "upload", run: () => (dialog.value = "import") },
    { title: "Export mcp.json", where: "Servers", icon: "download", run: () => (dialog.value = "export") },
    ...all.map((e) => ({ title: e.name, where: "Server", icon: "servers" as const, run: () => go("servers", e.id) })),
  ]);
  return (
    <div class="panes servers" data-front={chosen ? 1 : 0}>
      <section class="pane" aria-label="Servers">
        <div class="pane-head">
          <Filter label="Filter servers" value={filter.value} onInput={(v) => (filter.value = v)} count={String(all.length)} />
          <button type="button" class="button primary" onClick={() => (dialog.value = "add")}><Icon name="plus" /> Add</button>
          <Menu label="More" icon="more" actions={[
            { label: "Import mcp.json …", icon: "upload", run: () => (dialog.value = "import") },
            { label: "Export mcp.json …", icon: "download", run: () => (dialog.value = "export") },
          ]} />
        </div>
        <div class="scroll grow">
          {servers.value.problems.map((p) => <div class="pad"><Notice tone="warn">{p}</Notice></div>)}
          <List id="servers" label="Servers" items={found} keyOf={(e) => e.id} selected={shown?.id ?? ""} height={44}
            onSelect={(id) => go("servers", id, "", route.value.link !== "")} row={(e) => <ServerRow entry={e} />} />
          {found.length === 0 && <p class="pad muted">{all.length === 0 ? "No servers. Add one by command or URL." : "No matching servers."}</p>}
        </div>
      </section>
      {shown ? <ServerPane key={shown.id} entry={shown} /> : (
        <section class="pane" aria-label="Server">
          <Empty icon="servers" title="Choose a server">
            <p>mcptest lists the servers in the config files of your editors and assistants. Nothing is started without your approval.</p>
            <button type="button" class="button primary" onClick={() => (dialog.value = "add")}><Icon name="plus" /> Add a server</button>
            <Grants />
          </Empty>
        </section>
      )}
      {dialog.value === "add" && <AddDialog onClose={close} />}
      {dialog.value === "import" && <ImportDialog onClose={close} />}
      {dialog.value === "export" && <ExportDialog onClose={close} />}
    </div>
  );
}

function text(e: Entry): string {
  return [e.name, e.server?.host, e.server?.url, ...(e.server?.command ?? []), ...e.links.map((l) => l.address)].join(" ");
}
