// An error: what happened, the cause, and a hint.
import type { ComponentChildren } from "preact";
import type { Problem } from "../../api.gen";
import { JsonTree } from "../../components/jsontree";

export function ProblemCard({ problem: p, children }: { problem: Problem; children?: ComponentChildren }) {
  return (
    <div class="detail" role="alert" data-testid="problem">
      <h2>{p.message}</h2>
      {p.cause && !p.message.includes(p.cause) && <p class="break">{p.cause}</p>}
      {p.rpc && <p class="break">Error {p.rpc.code}: {p.rpc.message}</p>}
      {p.rpc?.data_json && <JsonTree text={p.rpc.data_json} label="Error data" />}
      {p.challenge && <p class="mono break">{p.challenge}</p>}
      {p.hint && <p class="muted break">{p.hint}</p>}
      {p.stderr && <pre class="stderr" tabIndex={0}>{p.stderr}</pre>}
      {children}
    </div>
  );
}
