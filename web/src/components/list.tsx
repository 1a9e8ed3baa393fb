// A selectable list of any length, for mouse and keyboard.
import type { ComponentChildren } from "preact";
import { VirtualRows } from "./virtual";

interface Props<T> {
  label: string;
  items: T[];
  keyOf: (item: T) => string;
  selected: string;
  onSelect: (key: string) => void;
  row: (item: T) => ComponentChildren;
  height?: number;
  id: string;
}

// intoNext moves the focus from the list to the first input or button in the next pane, which shows the selected item.
function intoNext(e: KeyboardEvent): void {
  const body = (e.currentTarget as HTMLElement).closest(".pane")?.nextElementSibling;
  const first = body?.querySelector<HTMLElement>(":is(input, textarea, select, [contenteditable=true]):not(:disabled)") ?? body?.querySelector<HTMLElement>(".pane-foot button, .pane-body button, button:not(.back)");
  if (!first) return;
  e.preventDefault();
  first.focus();
}

export function List<T>({ label, items, keyOf, selected, onSelect, row, height = 28, id }: Props<T>) {
  const at = items.findIndex((item) => keyOf(item) === selected);
  const move = (to: number) => {
    const item = items[Math.max(0, Math.min(items.length - 1, to))];
    if (item) onSelect(keyOf(item));
  };
  const onKeyDown = (e: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowDown: at + 1, j: at + 1, ArrowUp: at - 1, k: at - 1,
      PageDown: at + 15, PageUp: at - 15, Home: 0, End: items.length - 1,
    };
    if (e.key === "Enter" && at >= 0) return intoNext(e);
    const to = steps[e.key];
    if (to === undefined || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    move(to);
  };
  return (
    <div class="list" role="listbox" aria-label={label} tabIndex={0} onKeyDown={onKeyDown} id={id}
      aria-activedescendant={at < 0 ? undefined : `${id}-${at}`}>
      <VirtualRows count={items.length} height={height} reveal={at} row={(i) => {
        const item = items[i];
        if (item === undefined) return null;
        const key = keyOf(item);
        return (
          <div class="item" role="option" id={`${id}-${i}`} aria-selected={key === selected} aria-posinset={i + 1}
            aria-setsize={items.length} onClick={() => onSelect(key)} data-key={key}>
            {row(item)}
          </div>
        );
      }} />
    </div>
  );
}
