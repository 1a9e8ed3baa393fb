// Tabs, of which one is visible.
export interface Tab {
  id: string;
  title: string;
  count?: number;
}

export function Tabs({ label, tabs, selected, onSelect }: { label: string; tabs: Tab[]; selected: string; onSelect: (id: string) => void }) {
  const onKeyDown = (e: KeyboardEvent) => {
    const by = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
    const at = tabs.findIndex((t) => t.id === selected);
    const next = tabs[(at + by + tabs.length) % tabs.length];
    if (by === 0 || !next) return;
    e.preventDefault();
    onSelect(next.id);
    (e.currentTarget as HTMLElement).querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map((t) => (
        <button key={t.id} type="button" role="tab" class="tab" data-tab={t.id} aria-selected={t.id === selected}
          tabIndex={t.id === selected ? 0 : -1} onClick={() => onSelect(t.id)}>
          {t.title}
          {t.count ? <span class="faint tabular"> {t.count}</span> : null}
        </button>
      ))}
    </div>
  );
}
