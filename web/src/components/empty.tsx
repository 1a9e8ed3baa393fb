// An empty state: the reason, and what to do.
import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon";

export function Empty({ icon, title, children }: { icon: IconName; title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children}
    </div>
  );
}
