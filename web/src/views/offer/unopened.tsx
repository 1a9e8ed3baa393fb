// What a view shows that needs an open connection and has none: why, and the way to one.
import type { Link } from "../../api.gen";
import { Empty } from "../../components/empty";
import { Icon, type IconName } from "../../components/icon";
import { linkTitle } from "../../components/state";
import { complain } from "../../components/toasts";
import { links, reconnect } from "../../state/links";
import { href } from "../../state/route";

const states: Record<string, string> = { connecting: "is being connected", failed: "cannot be reached", closed: "is not connected any more", expired: "has a session that expired", offline: "is a transcript" };

export function Unopened({ link, icon, what }: { link: Link | null; icon: IconName; what: string }) {
  if (!link) {
    return (
      <Empty icon={icon} title="No server is connected">
        <p>Connect to one to see its {what}.</p>
        <a class="button primary" href={href("servers")}>Choose a server</a>
      </Empty>
    );
  }
  const again = link.state === "failed" || link.state === "closed" || link.state === "expired";
  return (
    <Empty icon={icon} title={linkTitle(link, links.value) + " " + (states[link.state] ?? link.state)}>
      <p class="break">{link.error?.message ?? `Its ${what} can be seen while it is connected.`}</p>
      {link.error?.hint && <p class="break small">{link.error.hint}</p>}
      <div class="row">
        {again && <button type="button" class="button primary" onClick={() => void reconnect(link).catch(complain)}><Icon name="reload" /> Reconnect</button>}
        <a class="button" href={href("servers", link.server ?? link.id)}>Look at the server</a>
      </div>
    </Empty>
  );
}

/** whyNone tells why a list has nothing: the server declares none, refuses, or has none. */
export function whyNone(link: Link, what: string, refused: { message: string } | undefined): string {
  if (!link.declares.includes(what)) return `The server declares no ${what}.`;
  return refused ? `The server refuses to list them: ${refused.message}` : `The server lists no ${what}.`;
}
