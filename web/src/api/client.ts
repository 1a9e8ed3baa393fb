// Requests to the Go side. The token comes in the fragment of the first address and stays in this tab alone.
import { signal } from "@preact/signals";
import type { Problem } from "../api.gen";

const kept = "mcptest-token";

/** token is what every request carries; empty until the person gave one. */
export const token = signal("");

/** refused is true once a token was given that does not fit. */
export const refused = signal(false);

const inAddress = /(?:^#|[?&])token=([^&]+)/;

/** takeToken moves the token from the address to the tab's storage. */
export function takeToken(): void {
  const found = inAddress.exec(location.hash);
  if (found?.[1]) {
    sessionStorage.setItem(kept, decodeURIComponent(found[1]));
    const rest = location.hash.replace(/[?&]?token=[^&]+/, "");
    history.replaceState(null, "", location.pathname + (rest.startsWith("#/") ? rest : ""));
  }
  token.value = sessionStorage.getItem(kept) ?? "";
}

/** followToken takes the token of an address that is opened later in the same tab: it is that of another run of mcptest, of
    which the page knows nothing yet. The browser by itself would not load anything, as only the fragment differs. */
export function followToken(): void {
  addEventListener("hashchange", () => {
    if (!inAddress.test(location.hash)) return;
    takeToken();
    location.reload();
  });
}

/** keepToken takes a token that was typed. */
export function keepToken(value: string): void {
  sessionStorage.setItem(kept, value);
  token.value = value;
}

/** Failure is an answer that is not a success: what was wrong, and what to do. */
export class Failure extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.message);
  }
}

/** send makes a request and returns the answer as it is, or throws a Failure. */
export async function send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { Authorization: "Bearer " + token.value };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await fetch("/api" + path, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    signal,
  });
  if (answer.ok) return answer;
  if (answer.status === 401) {
    refused.value = true;
    token.value = "";
  }
  throw new Failure(answer.status, await problemOf(answer));
}

async function problemOf(answer: Response): Promise<Problem> {
  const text = await answer.text();
  try {
    return (JSON.parse(text) as { error: Problem }).error;
  } catch {
    return { kind: "bug", message: text || answer.statusText };
  }
}

async function json<T>(answer: Response): Promise<T> {
  const text = await answer.text();
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

/** get reads something. */
export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return json<T>(await send("GET", path, undefined, signal));
}

/** post asks for something to be done. */
export async function post<T>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> {
  return json<T>(await send("POST", path, body, signal));
}

/** put replaces something. */
export async function put<T>(path: string, body: unknown): Promise<T> {
  return json<T>(await send("PUT", path, body));
}

/** remove deletes something. */
export async function remove<T>(path: string): Promise<T> {
  return json<T>(await send("DELETE", path));
}

/** path joins segments that may hold anything. */
export function path(...segments: (string | number)[]): string {
  return "/" + segments.map((s) => encodeURIComponent(String(s))).join("/");
}
