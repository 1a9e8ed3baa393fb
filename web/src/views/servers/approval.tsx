// Exactly what would be started or reached, and only after the user agreed.
import type { Approval, Server } from "../../api.gen";
import { post } from "../../api/client";
import { Icon } from "../../components/icon";
import { complain } from "../../components/toasts";
import { loadServers } from "../../state/links";
import { Words } from "./pane";

export function ApprovalCard({ server, approval: a, onApproved }: { server: Server; approval: Approval; onApproved: (next: Server) => void }) {
  const approve = async () => {
    const next = await post<Server>("/approvals", { hash: a.hash });
    await loadServers();
    onApproved(next.id ? next : server);
  };
  return (
    <section class="card approval" aria-label="Approval">
      <h2><Icon name="alert" /> {a.url ? "This would receive values of your environment" : "This would run on your machine"}</h2>
      <p class="muted">Check every word. If any of it changes later, mcptest asks again.</p>
      <dl class="facts">
        {a.url ? (
          <>
            <dt>URL</dt><dd class="mono break">{a.url}</dd>
            <dt>Headers</dt><dd><Words words={a.headers ?? []} /></dd>
          </>
        ) : (
          <>
            <dt>Program</dt><dd class="mono break">{a.program}</dd>
            <dt>Arguments</dt><dd><Words words={a.argv} /></dd>
            <dt>Folder</dt><dd class="mono break">{a.cwd}</dd>
            <dt>Environment</dt><dd>{a.env.length > 0 ? <Words words={a.env} /> : <span class="muted">nothing beyond the usual</span>}</dd>
          </>
        )}
        {a.takes && <><dt>Takes</dt><dd><Words words={a.takes} /></dd></>}
        {server.file && <><dt>Defined in</dt><dd class="mono break">{server.file}</dd></>}
      </dl>
      {a.warnings?.map((w) => <p class="warn row"><Icon name="alert" /> {w}</p>)}
      <div class="row"><button type="button" class="button primary" data-testid="approve" onClick={() => void approve().catch(complain)}><Icon name="check" /> Approve and connect</button></div>
    </section>
  );
}
