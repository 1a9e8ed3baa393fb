// A server in the list.
import { Icon } from "../../components/icon";
import { StateDot, stateWord } from "../../components/state";
import { addressOf, sourceOf, titleOf, type Entry } from "./entries";

export function ServerRow({ entry }: { entry: Entry }) {
  const s = entry.server;
  const icon = s === null ? (entry.links[0]?.state === "offline" ? "wire" : "servers") : s.kind === "url" ? "globe" : s.kind === "builtin" ? "bolt" : "terminal";
  const link = entry.links.find((l) => l.state === "open") ?? entry.links.at(-1);
  return (
    <div class="server-row">
      <Icon name={icon} class="faint" />
      <div class="grow">
        <div class="row"><strong class="cut">{titleOf(entry)}</strong>{s?.disabled && <span class="badge">disabled</span>}{s?.problem && <span class="badge bad">unusable</span>}</div>
        <div class="small muted cut">{s ? sourceOf(s) : link?.state === "offline" ? "transcript" : "removed"}{addressOf(entry) && ` · ${addressOf(entry)}`}</div>
      </div>
      {link && <span class="row small muted whole"><StateDot link={link} />{stateWord(link)}</span>}
    </div>
  );
}
