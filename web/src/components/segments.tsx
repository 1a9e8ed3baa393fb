// A choice between a few options, all visible.

export interface Segment {
  value: string;
  text: string;
  title?: string;
}

export function Segments({ label, segments, value, onChange }: { label: string; segments: Segment[]; value: string; onChange: (value: string) => void }) {
  const onKeyDown = (e: KeyboardEvent) => {
    const by = e.key === "ArrowRight" || e.key === "ArrowDown" ? 1 : e.key === "ArrowLeft" || e.key === "ArrowUp" ? -1 : 0;
    if (by === 0) return;
    e.preventDefault();
    const buttons = [...(e.currentTarget as HTMLElement).querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons[(at + by + buttons.length) % buttons.length]?.focus();
  };
  return (
    <div class="segments" role="radiogroup" aria-label={label} onKeyDown={onKeyDown}>
      {segments.map((s) => (
        <button key={s.value} type="button" role="radio" class="segment" aria-checked={s.value === value} title={s.title}
          data-value={s.value} tabIndex={s.value === value || !segments.some((o) => o.value === value) ? 0 : -1}
          onClick={() => onChange(s.value)}>
          {s.text}
        </button>
      ))}
    </div>
  );
}
