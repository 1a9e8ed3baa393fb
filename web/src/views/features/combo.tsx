// A text box with completions from the server. Typed text is kept unchanged unless the user selects a suggestion.
import { useId, useRef, useState } from "preact/hooks";
import type { Completion } from "../../api.gen";

interface Props {
  label: string;
  value: string;
  onInput: (value: string) => void;
  complete?: (value: string) => Promise<Completion>; // absent if the server has no completions
  placeholder?: string;
  invalid?: boolean;
}

const pause = 120; // milliseconds without input before a request is sent

export function Combo({ label, value, onInput, complete, placeholder, invalid }: Props) {
  const id = useId();
  const [found, setFound] = useState<Completion | null>(null);
  const [at, setAt] = useState(-1);
  const timer = useRef(0);
  const asked = useRef(0);
  const ask = (text: string) => {
    if (!complete) return;
    clearTimeout(timer.current);
    setFound(null); // suggestions for another text do not apply to this one
    const turn = ++asked.current;
    timer.current = setTimeout(async () => {
      const answer = await complete(text).catch(() => null);
      if (turn !== asked.current) return; // a later request was faster
      setFound(answer);
      setAt(-1);
    }, pause);
  };
  const close = () => {
    asked.current++;
    clearTimeout(timer.current);
    setFound(null);
  };
  const take = (text: string) => {
    onInput(text);
    close();
  };
  const values = found?.values ?? [];
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key === "Escape" && found) {
      e.stopPropagation();
      close();
    } else if (e.key === "ArrowDown" && !found) ask(value);
    else if ((e.key === "ArrowDown" || e.key === "ArrowUp") && values.length > 0) {
      setAt((at + (e.key === "ArrowDown" ? 1 : -1) + values.length) % values.length);
    } else if (e.key === "Enter" && at >= 0 && values[at] !== undefined && !e.ctrlKey && !e.metaKey) take(values[at]);
    else return;
    e.preventDefault();
  };
  return (
    <div class="combo">
      <input class="input" role="combobox" aria-label={label} aria-expanded={values.length > 0} aria-controls={id} aria-autocomplete="list"
        aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined} aria-invalid={invalid} placeholder={placeholder} value={value}
        autocomplete="off" spellcheck={false} onKeyDown={onKeyDown} onFocus={() => ask(value)} onBlur={close}
        onInput={(e) => { onInput(e.currentTarget.value); ask(e.currentTarget.value); }} />
      <div id={id} role="listbox" aria-label={"Suggestions for " + label} class={values.length > 0 ? "combo-list" : undefined}>
        {values.map((v, i) => (
          <div key={v} id={`${id}-${i}`} role="option" class="combo-option" aria-selected={i === at}
            onPointerDown={(e) => e.preventDefault()} onClick={() => take(v)}>{v}</div>
        ))}
      </div>
    </div>
  );
}
