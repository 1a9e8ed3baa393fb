// The state of a connection, above each of its views: what it is doing, for how long, and what to do next.
import type { ComponentChildren } from "preact";
import type { Call, Link } from "../../api.gen";
import { Icon } from "../../components/icon";
import { isDisconnected, linkTitle, StateDot } from "../../components/state";
import { showError } from "../../components/toasts";
import { disconnect, links, reconnect } from "../../state/links";
import { href } from "../../state/route";
import { Starting } from "../servers/starting";
import { callsOf, isOver } from "../tools/calls";
import { CancelButton, Elapsed } from "../tools/running";

export function ConnectionState({ link }: { link: Link }) {
  const running = callsOf(link.id).value.filter((c) => !isOver(c));
  const state = link.state === "open" ? (running.length > 0 ? "busy" : "ready") : isDisconnected(link) ? "lost" : link.state;
  return (
    <div class="connection-state" role="group" aria-label="Connection" data-testid="connection-state" data-state={state}>
      <StateDot link={link} />
      <b class="cut whole-name">{linkTitle(link, links.value)}</b>
      <span class="cut grow muted" title={link.error?.message}>{said(state, link, running)}</span>
      {action(state, link, running)}
    </div>
  );
}

function said(state: string, link: Link, running: Call[]): ComponentChildren {
  switch (state) {
    case "connecting":
      return <Starting link={link} />;
    case "ready":
      return <>ready{link.version && <span class="version"> · {link.version}</span>}</>;
    case "busy":
      return running.length === 1 ? <>busy: {running[0]!.name || running[0]!.method}, <Elapsed call={running[0]!} /></> : <>busy: {running.length} calls in flight</>;
    case "expired":
      return "session expired";
    case "closed":
      return "disconnected";
    case "offline":
      return "transcript";
  }
  return <>{state}{link.error ? ": " + link.error.message : ""}</>;
}

function action(state: string, link: Link, running: Call[]): ComponentChildren {
  const again = () => void reconnect(link).catch(showError);
  switch (state) {
    case "connecting":
      return <button type="button" class="button quiet slim" onClick={() => void disconnect(link).catch(showError)}>Stop connecting</button>;
    case "busy":
      return running.length === 1 && <CancelButton call={running[0]!} slim />;
    case "offline":
      return null;
    case "ready":
      return <button type="button" class="button quiet slim" onClick={again}><Icon name="reload" /> Reconnect</button>;
  }
  if (link.error?.kind === "auth") return <a class="button primary slim" href={href("auth", link.server)}><Icon name="auth" /> Get a token</a>;
  return <button type="button" class="button primary slim" onClick={again}><Icon name="reload" /> Reconnect</button>;
}
