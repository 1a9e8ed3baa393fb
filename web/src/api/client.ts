// Requests to the Go side. The token is in the fragment of the first URL and is stored only in this tab.
import { signal } from "@preact/signals";
import type { Problem } from "../api.gen";

const kept = "mcptest-token";

/** token is sent with every request; empty until the user provides one. */
export const token = signal("");

/** refused is true after an invalid token was given. */
export const refused = signal(false);

const inAddress = /(?:^#|[?&])token=([^&]+)/;

/** takeToken moves the token from the URL to the tab's storage. */
export function takeToken(): void {
  const found = inAddress.exec(location.hash);
  if (found?.[1]) {
    sessionStorage.setItem(kept, decodeURIComponent(found[1]));
    const rest = location.hash.replace(/[?&]?token=[^&]+/, "");
    history.replaceState(null, "", location.pathname + (rest.startsWith("#/") ? rest : ""));
  }
  token.value = sessionStorage.getItem(kept) ?? "";
}

/** followToken takes the token of a URL that is opened later in the same tab. It belongs to another run of mcptest, so the page
    reloads: the browser does not load anything by itself, because only the fragment differs. */
export function followToken(): void {
  addEventListener("hashchange", () => {
    if (!inAddress.test(location.hash)) return;
    takeToken();
    location.reload();
  });
}

/** keepToken stores a typed token. */
export function keepToken(value: string): void {
  sessionStorage.setItem(kept, value);
  token.value = value;
}

/** Failure is an error response: the problem, and how to fix it. */
export class Failure extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.message);
  }
}

/** send makes a request and returns the response unchanged, or throws a Failure. */
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

/** get reads a resource. */
export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return json<T>(await send("GET", path, undefined, signal));
}

/** post performs an action. */
export async function post<T>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> {
  return json<T>(await send("POST", path, body, signal));
}

/** put replaces a resource. */
export async function put<T>(path: string, body: unknown): Promise<T> {
  return json<T>(await send("PUT", path, body));
}

/** remove deletes a resource. */
export async function remove<T>(path: string): Promise<T> {
  return json<T>(await send("DELETE", path));
}

/** path joins segments, which may contain any character. */
export function path(...segments: (string | number)[]): string {
  return "/" + segments.map((s) => encodeURIComponent(String(s))).join("/");
}
