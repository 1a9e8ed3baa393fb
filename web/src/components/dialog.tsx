// A modal dialog. Escape closes it and restores the focus.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icon";

interface Props {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  foot?: ComponentChildren;
  wide?: boolean;
}

export function Dialog({ title, onClose, children, foot, wide }: Props) {
  return (
    <Overlay label={title} onClose={onClose} wide={wide}>
      <div class="dialog-head">
        <h2 class="grow cut">{title}</h2>
        <button type="button" class="button quiet icon slim" aria-label="Close" onClick={onClose}><Icon name="close" /></button>
      </div>
      <div class="dialog-body scroll" tabIndex={0}>{children}</div>
      {foot && <div class="dialog-foot">{foot}</div>}
    </Overlay>
  );
}

/** Overlay is the dialog without title and buttons. */
export function Overlay({ label, onClose, children, wide }: { label: string; onClose: () => void; children: ComponentChildren; wide?: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    const first = box.current!.querySelector<HTMLElement>("[autofocus], input, select, textarea") ?? box.current!.querySelector<HTMLElement>(".dialog-body");
    first?.focus();
    return () => before?.focus();
  }, []);
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key === "Escape") {
      e.stopPropagation();
      onClose();
    }
    if (e.key === "Tab") keepInside(box.current!, e);
  };
  return (
    <div class="veil" onPointerDown={(e) => e.target === e.currentTarget && onClose()} onKeyDown={onKeyDown}>
      <div ref={box} class={"dialog fade" + (wide ? " wide" : "")} role="dialog" aria-modal="true" aria-label={label}>{children}</div>
    </div>
  );
}

function keepInside(box: HTMLElement, e: KeyboardEvent): void {
  const stops = [...box.querySelectorAll<HTMLElement>("button, input, select, textarea, a[href], [tabindex='0']")].filter((el) => !el.hasAttribute("disabled"));
  const first = stops[0];
  const last = stops[stops.length - 1];
  if (e.shiftKey && document.activeElement === first) last?.focus();
  else if (!e.shiftKey && document.activeElement === last) first?.focus();
  else return;
  e.preventDefault();
}
