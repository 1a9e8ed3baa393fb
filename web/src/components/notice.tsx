// A message that users should not miss.
import type { ComponentChildren } from "preact";
import { Icon } from "./icon";

export function Notice({ tone = "note", children, role }: { tone?: "note" | "bad" | "warn"; children: ComponentChildren; role?: "alert" | "status" }) {
  return (
    <div class={"notice " + tone} role={role}>
      <Icon name={tone === "note" ? "info" : "alert"} />
      <div class="grow">{children}</div>
    </div>
  );
}
