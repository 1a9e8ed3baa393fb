// Shown by a view that needs an open connection and has none: the reason, and how to connect.
import type { Link } from "../../api.gen";
import { Empty } from "../../components/empty";
import { Icon, type IconName } from "../../components/icon";
import { linkTitle } from "../../components/state";
import { showError } from "../../components/toasts";
import { links, reconnect } from "../../state/links";
import { href } from "../../state/route";

const states: Record<string, string> = { connecting: "is connecting", failed: "cannot be reached", closed: "is disconnected", expired: "has an expired session", offline: "is a transcript" };

export function NotConnected({ link, icon, what }: { link: Link | null; icon: IconName; what: string }) {
  if (!link) {
    return (
      <Empty icon={icon} title="No server connected">
        <p>Connect to one to see its {what}.</p>
        <a class="button primary" href={href("servers")}>Choose a server</a>
      </Empty>
    );
  }
  const again = link.state === "failed" || link.state === "closed" || link.state === "expired";
  return (
    <Empty icon={icon} title={linkTitle(link, links.value) + " " + (states[link.state] ?? link.state)}>
      <p class="break">{link.error?.message ?? `Connect to see its ${what}.`}</p>
      {link.error?.hint && <p class="break small">{link.error.hint}</p>}
      <div class="row">
        {again && <button type="button" class="button primary" onClick={() => void reconnect(link).catch(showError)}><Icon name="reload" /> Reconnect</button>}
        <a class="button" href={href("servers", link.server ?? link.id)}>View server</a>
      </div>
    </Empty>
  );
}

/** emptyReason returns why a list is empty: the server does not declare it, returns an error, or has no items. */
export function emptyReason(link: Link, what: string, refused: { message: string } | undefined): string {
  if (!link.declares.includes(what)) return `The server does not declare ${what}.`;
  return refused ? `The server returned an error for the list: ${refused.message}` : `The server lists no ${what}.`;
}
