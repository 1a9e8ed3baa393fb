// The state of a connection, as a dot with a name.
import type { Link } from "../api.gen";

const words: Record<string, string> = { connecting: "connecting", open: "connected", failed: "failed", closed: "closed", expired: "session expired", offline: "transcript" };

export function StateDot({ link }: { link: Link }) {
  return <span class={"dot " + link.state + (isDisconnected(link) ? " lost" : "") + (link.state === "connecting" ? " pulse" : "")} role="img" aria-label={stateWord(link)} />;
}

/** linkTitle is the title of a connection: the server's own name, with a number if two are the same. */
export function linkTitle(link: Link, all: Link[]): string {
  const own = (l: Link) => l.server_title || l.server_name || l.name;
  const same = all.filter((l) => own(l) === own(link));
  return same.length > 1 ? `${own(link)} ${same.indexOf(link) + 1}` : own(link);
}

/** isDisconnected reports whether a connection ended without being closed by the user. */
export function isDisconnected(link: Link): boolean {
  return link.state === "closed" && link.error !== undefined;
}

export function stateWord(link: Link): string {
  return isDisconnected(link) ? "lost" : (words[link.state] ?? link.state);
}
