// The status of a running gateway, polled while the view is open.
import { signal } from "@preact/signals";
import type { GatewayState, Problem } from "../../api.gen";
import { Failure, post } from "../../api/client";
import { persisted } from "../../state/persist";

export interface Status {
  time: string;
  started: string;
  sessions: number;
  servers: ServerStatus[];
  calls: Calls;
  tool_count: number;
  tools: ToolStatus[];
  quarantined_count?: number;
  quarantined?: Quarantined[];
}

/** Quarantined is a definition that waits for an approval. Its texts are those of a server that nobody trusts. */
export interface Quarantined {
  server: string;
  kind: string;
  name: string;
  hash: string;
  reason: string;
  seen_at: string;
  was?: string;
  verdict?: string;
  changes?: { verdict: string; message: string; old?: string; new?: string }[];
  suspicious?: { rule: string; message: string }[];
}

export interface ServerStatus {
  name: string;
  state: string;
  error?: string;
  revision?: string;
  in_flight: number;
  waiting: number;
  tools: number;
  calls: Calls;
}

/** Calls are the rate and the latencies of the last minute, and the counts since startup. */
export interface Calls {
  per_second: number;
  p50_ms: number;
  p99_ms: number;
  total: number;
  errors: number;
}

export interface ToolStatus {
  name: string;
  tool: string;
  server: string;
  version?: number;
  description?: string;
  stale?: boolean;
  quarantined?: string;
}

/** address is the URL of the gateway. The token is stored only in this tab. */
export const address = persisted("gateway", "http://127.0.0.1:8080/mcp");
export const token = signal(sessionStorage.getItem("mcptest-gateway-token") ?? "");
export const query = signal("");

export const status = signal<Status | null>(null);
export const problem = signal<Problem | null>(null);

/** rates are the calls per second of the latest samples. */
export const rates = signal<readonly number[]>([]);

const kept = 60; // samples in a curve

/** fetchStatus requests the status once. */
export async function fetchStatus(): Promise<void> {
  try {
    const answer = await post<GatewayState>("/gateway", { url: address.value, token: token.value, query: query.value });
    const next = JSON.parse(answer.status_json) as Status;
    const known = status.value?.started === next.started ? rates.value : [];
    rates.value = [...known, next.calls.per_second].slice(-kept);
    status.value = next;
    problem.value = null;
  } catch (why) {
    problem.value = why instanceof Failure ? why.problem : { kind: "bug", message: String(why) };
  }
}

/** approve approves one definition, by the hash of what the user has seen. */
export async function approve(item: Quarantined): Promise<void> {
  const { server, kind, name, hash } = item;
  try {
    await post("/gateway/approve", { url: address.value, token: token.value, items: [{ server, kind, name, hash }] });
  } catch (why) {
    problem.value = why instanceof Failure ? why.problem : { kind: "bug", message: String(why) };
    return;
  }
  await fetchStatus();
}

/** follow polls every two seconds until it is stopped. If the first request fails, it calls gone and stops. */
export function follow(gone: () => void): () => void {
  sessionStorage.setItem("mcptest-gateway-token", token.value);
  let stopped = false;
  let timer = 0;
  const again = async () => {
    await fetchStatus();
    if (!status.value && !stopped) return gone();
    if (!stopped) timer = setTimeout(again, 2000);
  };
  void again();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
