// The box above a list that narrows it down. The key / leads to it.
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
          }
        }} />
      {count && value === "" && <span class="count tabular">{count}</span>}
    </div>
  );
}

/** matches tells whether every word of the filter is in the text, whatever the case. */
export function matches(filter: string, text: string): boolean {
  const lower = text.toLowerCase();
  return filter.toLowerCase().split(/\s+/).every((word) => lower.includes(word));
}
