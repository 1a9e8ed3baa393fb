// The loads that the policy of a view has blocked, each with the entry that would allow it.
import type { Blocked } from "../../api.gen";

export function BlockedList({ blocked, uri }: { blocked: Blocked[]; uri: string }) {
  if (blocked.length === 0) return <p class="muted small">No blocked loads.</p>;
  return (
    <ul class="app-blocked small" data-testid="app-blocked">
      {blocked.map((b) => (
        <li>
          <span class="badge bad">{b.directive}</span> <code class="break">{b.uri}</code>{b.count > 1 && <span class="faint"> {b.count} times</span>}
          <p class="muted">
            {b.entry ? <>To allow it, add <code>{JSON.stringify(b.entry)}</code> to <code>_meta.ui.csp.{b.list}</code> of <code>{uri}</code>.</> : "No entry of _meta.ui.csp can allow it. Hosts that follow the specification block it; the tab Policy has that of the reference host."}
          </p>
        </li>
      ))}
    </ul>
  );
}
