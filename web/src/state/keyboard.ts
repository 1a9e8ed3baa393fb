// The shortcuts that work everywhere.
import { views } from "../views/registry";
import { helpOpen, paletteOpen } from "./commands";
import { current } from "./links";
import { go, placeOf } from "./route";

let leader = 0; // when g was pressed

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.closest("input, textarea, select, [contenteditable]") !== null || target.shadowRoot !== null);
}

/** visit opens a view of the current connection. */
export function visit(view: string): void {
  const v = views.find((one) => one.id === view);
  const link = v?.linked ? (current.value?.id ?? "") : "";
  go(view, link, placeOf(view, link));
}

export function followKeyboard(): void {
  addEventListener("keydown", (e) => {
    if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "k") {
      e.preventDefault();
      paletteOpen.value = !paletteOpen.value;
      return;
    }
    if (e.ctrlKey || e.metaKey || e.altKey || typing(e.target)) return;
    const led = e.timeStamp - leader < 1500;
    leader = e.key === "g" ? e.timeStamp : 0;
    const view = led ? views.find((v) => v.key === e.key) : undefined;
    if (view) visit(view.id);
    else if (e.key === "?") helpOpen.value = true;
    else if (e.key === "/") document.querySelector<HTMLElement>("[data-filter]")?.focus();
    else return;
    e.preventDefault();
  });
}
