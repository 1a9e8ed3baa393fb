// A list over the page, which finds commands by a part of their name.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Command } from "../state/commands";
import { Overlay } from "./dialog";
import { matches } from "./filter";
import { Icon } from "./icon";

const most = 60;

interface Props {
  label: string;
  hint: string; // what can be typed
  all: Command[];
  none?: string; // what an empty list says
  onClose: () => void;
  foot?: ComponentChildren;
}

export function Palette({ label, hint, all, none = "No items", onClose, foot }: Props) {
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const found = all.filter((c) => matches(typed, c.title + " " + (c.where ?? ""))).slice(0, most);
  const run = (index: number, again = false) => {
    const command = found[index];
    if (!command) return;
    onClose();
    queueMicrotask((again && command.again) || command.run);
  };
  const move = (to: number) => {
    setAt(to);
    document.getElementById("command-" + to)?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key === "ArrowDown") move(Math.min(found.length - 1, at + 1));
    else if (e.key === "ArrowUp") move(Math.max(0, at - 1));
    else if (e.key === "Enter") run(at, e.ctrlKey || e.metaKey);
    else return;
    e.preventDefault();
  };
  return (
    <Overlay label={label} onClose={onClose}>
      <input class="palette-input" role="combobox" aria-expanded="true" aria-controls="commands" aria-label={hint}
        aria-activedescendant={found.length > 0 ? "command-" + at : undefined} placeholder={hint} value={typed}
        autocomplete="off" spellcheck={false} onInput={(e) => { setTyped(e.currentTarget.value); setAt(0); }} onKeyDown={onKeyDown} />
      <div class="palette-list" role="listbox" id="commands" aria-label={label} tabIndex={0}>
        {found.map((c, i) => (
          <div key={i} class="palette-item" role="option" id={"command-" + i} aria-selected={i === at} onPointerMove={() => setAt(i)} onClick={() => run(i)}>
            <Icon name={c.icon ?? "bolt"} />
            <span class="cut">{c.title}</span>
            {c.where && <span class="where cut">{c.where}</span>}
          </div>
        ))}
        {found.length === 0 && <div class="palette-item muted" role="option" aria-selected="false" aria-disabled="true">{all.length === 0 ? none : "No matches"}</div>}
      </div>
      {foot && <p class="palette-foot small muted">{foot}</p>}
    </Overlay>
  );
}
