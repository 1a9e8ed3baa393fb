// The verdicts on a call, one per possible failure. None of them hides the payload.
import type { Call, Verdicts } from "../../api.gen";
import { JsonTree } from "../../components/jsontree";
import { Icon } from "../../components/icon";
import { plural } from "../../components/size";

interface Verdict {
  what: string;
  says: string;
  tone: "good" | "bad" | "none";
}

function verdictsOf(call: Call, v: Verdicts): Verdict[] {
  const answered = !v.transport;
  const status = v.status ?? 0;
  const output: Record<string, Verdict["tone"]> = { valid: "good", invalid: "bad" };
  return [
    { what: "Transport", says: !answered ? (v.transport!.kind === "expired" ? "session expired" : call.status) : status >= 400 ? `HTTP ${status}` : status ? `response, ${status}` : "response", tone: answered && status < 400 ? "good" : "bad" },
    { what: "JSON-RPC", says: !answered ? "no response" : v.rpc ? `error ${v.rpc.code}` : "result", tone: !answered ? "none" : v.rpc ? "bad" : "good" },
    { what: "Tool", says: v.tool === "error" ? "isError" : v.tool === "ok" ? "ok" : "no result", tone: v.tool === "ok" ? "good" : v.tool === "error" ? "bad" : "none" },
    { what: "Output schema", says: v.output !== "none" ? v.output : v.tool === "ok" ? "none declared" : "not checked",  tone: output[v.output] ?? "none" },
  ];
}

export function VerdictRow({ call }: { call: Call }) {
  return (
    <ul class="verdicts" aria-label="Verdicts">
      {verdictsOf(call, call.verdicts!).map((v) => (
        <li key={v.what} class={"verdict " + v.tone} data-verdict={v.what}>
          <span class="what">{v.what}</span>
          <span class="says">{v.tone !== "none" && <Icon name={v.tone === "good" ? "check" : "close"} />}{v.says}</span>
        </li>
      ))}
    </ul>
  );
}

export function VerdictDetails({ call }: { call: Call }) {
  const v = call.verdicts!;
  return (
    <>
      {v.transport && (
        <div class="detail" data-detail="transport">
          <h2>{v.transport.message}</h2>
          {v.transport.cause && !v.transport.message.includes(v.transport.cause) && <p>{v.transport.cause}</p>}
          {v.transport.hint && <p class="muted">{v.transport.hint}</p>}
          {v.transport.stderr && <pre class="stderr" tabIndex={0} aria-label="stderr">{v.transport.stderr}</pre>}
        </div>
      )}
      {v.rpc && (
        <div class="detail" data-detail="rpc">
          <h2>Error {v.rpc.code}{v.rpc.meaning && <span class="muted"> · {v.rpc.meaning}</span>}</h2>
          <p class="break">{v.rpc.message}</p>
          {v.rpc.data_json && <><h3 class="muted">data</h3><JsonTree text={v.rpc.data_json} label="Error data" /></>}
        </div>
      )}
      {v.violations.length > 0 && (
        <div class="detail" data-detail="output">
          <h2>Structured content violates the output schema in {plural(v.violations.length, "location")}</h2>
          <ul class="findings">{v.violations.slice(0, 50).map((o) => <li><code class="badge bad">{o.label || "/"}</code><span class="break">{o.message}</span></li>)}</ul>
        </div>
      )}
      {v.unchecked && <div class="detail warn"><p>{v.unchecked}</p></div>}
      {v.remarks.filter((r) => r.kind === "notice").map((r) => <div class="detail warn"><p class="break">{r.message}</p></div>)}
      {v.problems.length > 0 && <div class="detail" data-detail="result"><ul>{v.problems.map((p) => <li class="break">{p}</li>)}</ul></div>}
    </>
  );
}
