// The command palette: finds actions and views by a part of their name.
import { useState } from "preact/hooks";
import { commands, paletteOpen } from "../state/commands";
import { Overlay } from "./dialog";
import { matches } from "./filter";
import { Icon } from "./icon";

const most = 60;

export function Palette() {
  return paletteOpen.value ? <Open /> : null;
}

function Open() {
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const found = commands().filter((c) => matches(typed, c.title + " " + (c.where ?? ""))).slice(0, most);
  const close = () => (paletteOpen.value = false);
  const run = (index: number) => {
    const command = found[index];
    if (!command) return;
    close();
    queueMicrotask(command.run);
  };
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key === "ArrowDown") setAt(Math.min(found.length - 1, at + 1));
    else if (e.key === "ArrowUp") setAt(Math.max(0, at - 1));
    else if (e.key === "Enter") run(at);
    else return;
    e.preventDefault();
    document.getElementById("command-" + at)?.scrollIntoView({ block: "nearest" });
  };
  return (
    <Overlay label="Command palette" onClose={close}>
      <input class="palette-input" role="combobox" aria-expanded="true" aria-controls="commands" aria-label="Find a command, server or tool"
        aria-activedescendant={found.length > 0 ? "command-" + at : undefined} placeholder="Find a command, server or tool" value={typed}
        autocomplete="off" spellcheck={false} onInput={(e) => { setTyped(e.currentTarget.value); setAt(0); }} onKeyDown={onKeyDown} />
      <div class="palette-list" role="listbox" id="commands" aria-label="Commands" tabIndex={0}>
        {found.map((c, i) => (
          <div key={c.title + c.where} class="palette-item" role="option" id={"command-" + i} aria-selected={i === at} onPointerMove={() => setAt(i)} onClick={() => run(i)}>
            <Icon name={c.icon ?? "bolt"} />
            <span class="cut">{c.title}</span>
            {c.where && <span class="where cut">{c.where}</span>}
          </div>
        ))}
        {found.length === 0 && <div class="palette-item muted" role="option" aria-selected="false" aria-disabled="true">No matches</div>}
      </div>
    </Overlay>
  );
}
