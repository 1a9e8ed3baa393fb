// A button that opens a short list of actions.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "./icon";

export interface Action {
  label: string;
  icon?: IconName;
  run: () => void;
}

export function Menu({ label, icon, actions, text }: { label: string; icon: IconName; actions: Action[]; text?: string }) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!open) return;
    box.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
    const away = (e: Event) => !box.current?.contains(e.target as Node) && setOpen(false);
    addEventListener("pointerdown", away);
    return () => removeEventListener("pointerdown", away);
  }, [open]);
  const onKeyDown = (e: KeyboardEvent) => {
    if (!open) return;
    const items = [...box.current!.querySelectorAll<HTMLElement>("[role=menuitem]")];
    const at = items.indexOf(document.activeElement as HTMLElement);
    if (e.key === "Escape") setOpen(false);
    else if (e.key === "ArrowDown") items[(at + 1) % items.length]?.focus();
    else if (e.key === "ArrowUp") items[(at + items.length - 1) % items.length]?.focus();
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  return (
    <div class="menu-anchor" ref={box} onKeyDown={onKeyDown}>
      <button type="button" class={"button quiet slim" + (text ? "" : " icon")} aria-haspopup="menu" aria-expanded={open}
        aria-label={text ? undefined : label} title={label} onClick={() => setOpen(!open)}>
        <Icon name={icon} />
        {text && <span class="menu-text">{text}</span>}
      </button>
      {open && (
        <div class="menu fade" role="menu" aria-label={label}>
          {actions.map((a) => (
            <button key={a.label} type="button" role="menuitem" onClick={() => { setOpen(false); a.run(); }}>
              {a.icon && <Icon name={a.icon} />}
              {a.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
