// The state of a connection, as a dot with a name.
import type { Link } from "../api.gen";

const words: Record<string, string> = { connecting: "connecting", open: "connected", failed: "failed", closed: "closed", offline: "transcript" };

export function StateDot({ link }: { link: Link }) {
  return <span class={"dot " + link.state + (link.state === "connecting" ? " pulse" : "")} role="img" aria-label={stateWord(link)} />;
}

export function stateWord(link: Link): string {
  return words[link.state] ?? link.state;
}
