// The shortcuts that work everywhere.
import { views } from "../views/registry";
import { helpOpen, picker } from "./commands";
import { current } from "./links";
import { go, placeOf } from "./route";

let leader = -Infinity; // when g was pressed: long ago

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.closest("input, textarea, select, [contenteditable]") !== null || target.shadowRoot !== null);
}

/** visit opens a view of the current connection. The focus moves there, so that Tab continues in the view. */
export function visit(view: string): void {
  const v = views.find((one) => one.id === view);
  const link = v?.linked ? (current.value?.id ?? "") : "";
  go(view, link, placeOf(view, link));
  document.getElementById("main")?.focus();
}

export function followKeyboard(): void {
  addEventListener("keydown", (e) => {
    if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "k") {
      e.preventDefault();
      picker.value = picker.value === "commands" ? "" : "commands";
      return;
    }
    if (e.key === "Escape" && typing(e.target) && !document.querySelector("[role=dialog]")) return document.getElementById("main")?.focus();
    if (e.ctrlKey || e.metaKey || e.altKey || typing(e.target) || document.querySelector("[role=dialog]")) return;
    const led = e.timeStamp - leader < 1500;
    leader = e.key === "g" && !led ? e.timeStamp : -Infinity;
    const view = led ? views.find((v) => v.key === e.key) : undefined;
    if (view) visit(view.id);
    else if (e.key === "?") helpOpen.value = true;
    else if (e.key === "h") picker.value = "history";
    else if (e.key === "n") document.querySelector<HTMLElement>(".question :is(input, textarea, select), .question-foot button")?.focus();
    else if (e.key === "s") picker.value = "saved";
    else if ((e.key === "j" || e.key === "k") && !e.defaultPrevented) document.querySelector<HTMLElement>("main [role=listbox]")?.focus();
    else if (e.key === "/") document.querySelector<HTMLElement>("[data-filter]")?.focus();
    else return;
    e.preventDefault();
  });
}
