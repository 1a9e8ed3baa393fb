// The filter box above a list. The key / focuses it.
import { Icon } from "./icon";

interface Props {
  label: string;
  value: string;
  onInput: (value: string) => void;
  count?: string;
}

export function Filter({ label, value, onInput, count }: Props) {
  return (
    <div class="search">
      <Icon name="search" />
      <input class="input" type="search" data-filter aria-label={label} placeholder={label} value={value} autocomplete="off"
        spellcheck={false} onInput={(e) => onInput(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key === "Escape" && value !== "") {
            e.stopPropagation();
            onInput("");
          } else if (e.key === "ArrowDown" || e.key === "Enter") {
            e.preventDefault();
            toList(e.currentTarget);
          }
        }} />
      {count && value === "" && <span class="count tabular">{count}</span>}
    </div>
  );
}

// toList moves the focus to the filtered list, and selects its first item if none is selected.
function toList(box: HTMLElement): void {
  const list = box.closest(".pane")?.querySelector<HTMLElement>("[role=listbox]");
  list?.focus();
  if (!list?.querySelector("[aria-selected=true]")) list?.dispatchEvent(new KeyboardEvent("keydown", { key: "Home" }));
}

/** matches reports whether every word of the filter is in the text, ignoring case. */
export function matches(filter: string, text: string): boolean {
  const lower = text.toLowerCase();
  return filter.toLowerCase().split(/\s+/).every((word) => lower.includes(word));
}
