// Exactly what would be started or reached, for approval by the user.
import type { Approval, Server } from "../../api.gen";
import { post } from "../../api/client";
import { Icon } from "../../components/icon";
import { showError } from "../../components/toasts";
import { loadServers } from "../../state/links";

export function ApprovalCard({ server, approval: a, onApproved }: { server: Server; approval: Approval; onApproved: (next: Server) => void }) {
  const approve = async () => {
    const next = await post<Server>("/approvals", { hash: a.hash });
    await loadServers();
    onApproved(next.id ? next : server);
  };
  return (
    <section class="card approval" aria-label="Approval">
      <h2><Icon name="alert" /> Allow mcptest to {a.what}?</h2>
      <p class="muted">Check every word. If anything changes later, you must approve it again.</p>
      <dl class="facts">
        {a.lines.map((l) => <><dt>{l.label.charAt(0).toUpperCase() + l.label.slice(1)}</dt><dd class="mono break">{l.value}</dd></>)}
      </dl>
      {a.warnings?.map((w) => <p class="warn row"><Icon name="alert" /> {w}</p>)}
      <div class="row"><button type="button" class="button primary" data-testid="approve" onClick={() => void approve().catch(showError)}><Icon name="check" /> Approve and connect</button></div>
    </section>
  );
}
