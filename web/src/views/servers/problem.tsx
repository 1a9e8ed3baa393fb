// Why something did not work: what happened, what the system said, and what to try.
import type { ComponentChildren } from "preact";
import type { Problem } from "../../api.gen";
import { JsonTree } from "../../components/jsontree";

export function ProblemCard({ problem: p, children }: { problem: Problem; children?: ComponentChildren }) {
  return (
    <div class="detail" role="alert" data-testid="problem">
      <h2>{p.message}</h2>
      {p.cause && !p.message.includes(p.cause) && <p class="break">{p.cause}</p>}
      {p.rpc && <p class="break">Error {p.rpc.code}: {p.rpc.message}</p>}
      {p.rpc?.data_json && <JsonTree text={p.rpc.data_json} label="Data of the error" />}
      {p.challenge && <p class="mono break">{p.challenge}</p>}
      {p.hint && <p class="muted break">{p.hint}</p>}
      {p.stderr && <pre class="stderr" tabIndex={0}>{p.stderr}</pre>}
      {children}
    </div>
  );
}
