// The messages between a host and a view of MCP Apps.

/** revision is the version of the messages. */
export const revision = "2026-01-26";

export type Id = string | number;

export interface Message {
  jsonrpc?: string;
  id?: Id;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

export type Theme = "light" | "dark";
export type Mode = "inline" | "fullscreen";

export const modes: Mode[] = ["inline", "fullscreen"];

/** Entry is one message, as the log shows it. */
export interface Entry {
  n: number;
  at: number; // milliseconds since the view was opened
  from: "host" | "view" | "sandbox";
  kind: "request" | "response" | "error" | "notification";
  method: string; // of a response: that of its request
  id?: Id;
  text: string; // JSON, shortened if it is very long
}

const longest = 200_000; // characters of a message in the log

/** entryOf describes a message for the log. */
export function entryOf(n: number, at: number, from: Entry["from"], message: Message, answered: string): Entry {
  const kind = message.method !== undefined ? (message.id !== undefined ? "request" : "notification") : message.error ? "error" : "response";
  const text = JSON.stringify(message);
  return { n, at, from, kind, method: clip(message.method ?? answered, 100), id: message.id, text: clip(text, longest) };
}

function clip(text: string, length: number): string {
  return text.length > length ? text.slice(0, length) + "…" : text;
}

/** isMessage reports whether the data of an event can be a message. */
export function isMessage(data: unknown): data is Message {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return false;
  const { id, method } = data as Record<string, unknown>;
  return (id === undefined || typeof id === "string" || typeof id === "number") && (method === undefined ? id !== undefined : typeof method === "string");
}

/** textAt returns a property of params that is a string. */
export function textAt(params: unknown, name: string): string {
  const value = typeof params === "object" && params !== null ? (params as Record<string, unknown>)[name] : undefined;
  return typeof value === "string" ? value : "";
}
