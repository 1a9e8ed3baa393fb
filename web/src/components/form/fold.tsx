// The heading of a group that folds.
import type { ComponentChildren } from "preact";
import { Icon } from "../icon";

export function Fold({ open, onToggle, id, children }: { open: boolean; onToggle: () => void; id?: string; children: ComponentChildren }) {
  return (
    <button type="button" class="fold-toggle" id={id} aria-expanded={open} onClick={onToggle}>
      <Icon name="caret" />{children}
    </button>
  );
}
