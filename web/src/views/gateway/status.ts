// What a running gateway tells of itself, looked at again and again while somebody watches.
import { signal } from "@preact/signals";
import type { GatewayState, Problem } from "../../api.gen";
import { Failure, post } from "../../api/client";
import { persisted } from "../../state/persist";

export interface Status {
  time: string;
  started: string;
  sessions: number;
  servers: ServerStatus[];
  total: number;
  tools: ToolStatus[];
}

export interface ServerStatus {
  name: string;
  state: string;
  error?: string;
  revision?: string;
  silence_ns: number;
  in_flight: number;
  waiting: number;
  tools: number;
  calls: number;
  outcomes?: Record<string, number>;
  p50_ns: number;
  p95_ns: number;
  p99_ns: number;
}

export interface ToolStatus {
  name: string;
  tool: string;
  server: string;
  version: number;
  description?: string;
  stale?: boolean;
  score?: number;
}

/** address is where the gateway listens. The token is not kept beyond the tab. */
export const address = persisted("gateway", "http://127.0.0.1:8080/mcp");
export const token = signal(sessionStorage.getItem("mcptest-gateway-token") ?? "");
export const query = signal("");

export const status = signal<Status | null>(null);
export const problem = signal<Problem | null>(null);

/** rates are the calls a second of the latest looks, by server; "" is all of them. */
export const rates = signal<ReadonlyMap<string, readonly number[]>>(new Map());

const kept = 60; // looks that a curve has

/** look asks once. */
export async function look(): Promise<void> {
  try {
    const answer = await post<GatewayState>("/gateway", { url: address.value, token: token.value, query: query.value });
    const next = JSON.parse(answer.status_json) as Status;
    if (status.value && status.value.started === next.started) rates.value = grown(rates.value, status.value, next);
    else rates.value = new Map();
    status.value = next;
    problem.value = null;
  } catch (why) {
    problem.value = why instanceof Failure ? why.problem : { kind: "bug", message: String(why) };
  }
}

function grown(known: ReadonlyMap<string, readonly number[]>, before: Status, now: Status): ReadonlyMap<string, readonly number[]> {
  const seconds = (Date.parse(now.time) - Date.parse(before.time)) / 1000;
  if (seconds < 0.2) return known; // too close for a rate that means anything
  const next = new Map<string, readonly number[]>();
  let all = 0;
  for (const server of now.servers) {
    const had = before.servers.find((s) => s.name === server.name)?.calls ?? server.calls;
    const rate = Math.max(0, server.calls - had) / seconds;
    all += rate;
    next.set(server.name, [...(known.get(server.name) ?? []), rate].slice(-kept));
  }
  next.set("", [...(known.get("") ?? []), all].slice(-kept));
  return next;
}

/** follow looks every two seconds until it is stopped. If the first look fails, nothing is there to follow: it tells gone. */
export function follow(gone: () => void): () => void {
  sessionStorage.setItem("mcptest-gateway-token", token.value);
  let stopped = false;
  let timer = 0;
  const again = async () => {
    await look();
    if (!status.value && !stopped) return gone();
    if (!stopped) timer = setTimeout(again, 2000);
  };
  void again();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
