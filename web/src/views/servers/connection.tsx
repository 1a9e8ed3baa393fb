// One connection: its state and the reason, the negotiated protocol, and the server information.
import type { Link } from "../../api.gen";
import { Icon } from "../../components/icon";
import { JsonTree } from "../../components/jsontree";
import { Markdown } from "../../components/markdown";
import { linkTitle, StateDot, stateWord } from "../../components/state";
import { clock, duration, plural } from "../../components/size";
import { showError } from "../../components/toasts";
import { countsOf, disconnect, removeLink, hello, links, reconnect } from "../../state/links";
import { href } from "../../state/route";
import { LogView } from "./logs";
import { ProblemCard } from "./problem";
import { Starting } from "./starting";
import { StderrView } from "./stderr";

export function Connection({ link: l }: { link: Link }) {
  const so = countsOf(l);
  const alive = l.state === "open" || l.state === "connecting";
  return (
    <section class="card connection" aria-label={"Connection " + l.name} data-testid="connection" data-state={l.state}>
      <div class="connection-head">
        <StateDot link={l} />
        <h2 class="cut" title={l.name}>{linkTitle(l, links.value)}</h2>
        <span class="muted">{stateWord(l)}</span>
        <div class="row wrap whole-end">
          {l.state === "open" && <a class="button slim" href={href("tools", l.id)}><Icon name="tools" /> Tools</a>}
          <a class="button slim" href={href("wire", l.id)}><Icon name="wire" /> Wire</a>
          {l.state !== "offline" && <button type="button" class="button slim" onClick={() => void reconnect(l).catch(showError)}><Icon name="reload" /> Reconnect</button>}
          {alive ? <button type="button" class="button slim danger" onClick={() => void disconnect(l).catch(showError)}>Disconnect</button>
            : <button type="button" class="button slim" onClick={() => void removeLink(l).catch(showError)}>Remove</button>}
        </div>
      </div>
      {l.state === "connecting" && <p class="muted"><Starting link={l} />. No response yet. See <a href={href("wire", l.id)}>Wire</a> for the frames.</p>}
      {l.error && <ProblemCard problem={l.error} />}
      {l.error?.kind === "auth" && <div><a class="button primary" href={href("auth", l.server)}><Icon name="auth" /> Get a token</a></div>}
      <dl class="facts">
        {l.server_name && <><dt>Server</dt><dd>{l.server_title || l.server_name} <span class="muted">{l.server_title ? l.server_name + " " : ""}{l.server_version}</span></dd></>}
        {l.version && <><dt>Protocol</dt><dd><span class={"badge " + (hello.value?.revisions.includes(l.version) ? "accent" : "warn")}>{l.version}</span>{hello.value?.revisions.includes(l.version) ? "" : " unknown revision:"} <span class="muted">{l.why}</span></dd></>}
        <dt>Transport</dt><dd>{l.transport || "unknown"} <span class="mono muted break">{l.address}</span>{l.insecure && <> <span class="badge warn">any certificate</span></>}</dd>
        <dt>Since</dt><dd class="tabular">{clock(l.since)}{l.opened_ns ? <span class="muted">, {l.state === "failed" ? "failed after" : "opened in"} {duration(l.opened_ns)}</span> : null}</dd>
        <dt>Totals</dt><dd class="tabular">{plural(so.frames, "frame")}, {plural(so.calls, "call")}{l.counts.notices > 0 && <span class="warn">, {plural(l.counts.notices, "protocol violation")}</span>}</dd>
        {l.declares.length > 0 && <><dt>Declares</dt><dd class="row wrap">{l.declares.map((d) => <span key={d} class="badge">{d}</span>)}</dd></>}
      </dl>
      <LogView key={l.since} link={l} />
      {l.instructions && <details class="fold" open><summary>Instructions</summary><Markdown text={l.instructions} /></details>}
      {l.notices.length > 0 && <details class="fold"><summary>{plural(l.notices.length, "protocol violation")}</summary><ul class="findings">{l.notices.map((n) => <li><a class="tabular" href={href("wire", l.id, String(n.frame ?? ""))}>#{n.frame}</a><span class="break">{n.text}</span></li>)}</ul></details>}
      {l.capabilities_json && <details class="fold"><summary>Server capabilities</summary><JsonTree text={l.capabilities_json} label="Server capabilities" /></details>}
      {l.client_capabilities_json && <details class="fold"><summary>Client capabilities</summary><JsonTree text={l.client_capabilities_json} label="Client capabilities" /></details>}
      {(l.transport === "stdio" || l.counts.stderr > 0) && <StderrView link={l.id} size={l.counts.stderr} />}
    </section>
  );
}
