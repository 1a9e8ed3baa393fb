// The credentials for a server: headers, a token, and the authorization flow.
import { useEffect } from "preact/hooks";
import type { Server } from "../../api.gen";
import { Empty } from "../../components/empty";
import { List } from "../../components/list";
import { showError } from "../../components/toasts";
import { current, servers } from "../../state/links";
import { go, href, route } from "../../state/route";
import { Access } from "./authorization";
import { load } from "./signins";

export function AuthView() {
  useEffect(() => void load().catch(showError), []);
  const reached = servers.value.servers.filter((s) => s.kind === "url");
  const chosen = reached.find((s) => s.id === route.value.link) ?? reached.find((s) => s.id === current.value?.server) ?? reached[0];
  if (!chosen) {
    return (
      <Empty icon="auth" title="No HTTP servers">
        <p>Authorization applies to HTTP servers. Pass secrets to a local process in its environment.</p>
        <a class="button" href={href("servers")}>Servers</a>
      </Empty>
    );
  }
  return (
    <div class="panes offer two" data-front={route.value.link ? "1" : "0"}>
      <section class="pane" aria-label="Servers by URL">
        <div class="pane-head"><h1>Authorization</h1></div>
        <div class="scroll grow">
          <List id="auth-servers" label="Servers by URL" items={reached} keyOf={(s) => s.id} selected={chosen.id} height={42} onSelect={(id) => go("auth", id, "", route.value.link !== "")} row={(s) => <Row server={s} />} />
        </div>
      </section>
      <Access key={chosen.id} server={chosen} />
    </div>
  );
}

function Row({ server }: { server: Server }) {
  return (
    <span class="stack none grow">
      <span class="name cut">{server.name}</span>
      {server.url !== server.name && <span class="sub cut">{server.url}</span>}
    </span>
  );
}
