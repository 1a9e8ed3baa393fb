// The servers and connections as the Go side has them.
import { batch, computed, effect, signal } from "@preact/signals";
import type { Call, Hello, Link, NewLink, Server, Servers } from "../api.gen";
import { get, path, post, remove } from "../api/client";
import { on } from "../api/events";
import { complain } from "../components/toasts";
import { route, go } from "./route";

export const hello = signal<Hello | null>(null);
export const servers = signal<Servers>({ servers: [], problems: [], looked: [] });
export const links = signal<Link[]>([]);

/** named is the connection that the address names, itself or by its server: of several the newest that is open. */
const named = computed<Link | undefined>(() => {
  const to = route.value.link;
  const of = links.value.filter((l) => to !== "" && l.server === to);
  return links.value.find((l) => l.id === to) ?? of.findLast((l) => l.state === "open") ?? of.at(-1);
});

const lately = signal(""); // the connection that was named last

effect(() => {
  if (named.value) lately.value = named.value.id;
});

/** current is the connection that the address names, else the one that was looked at before, else the first that is open, else the first. */
export const current = computed<Link | null>(() => {
  const all = links.value;
  return named.value ?? all.find((l) => l.id === lately.value) ?? all.find((l) => l.state === "open") ?? all[0] ?? null;
});

/** loadAll reads everything anew, at one stroke: at the start, and after the stream of events broke. */
export async function loadAll(): Promise<void> {
  const all = await get<Hello>("/hello");
  batch(() => {
    servers.value = all.servers;
    links.value = all.links.links;
    hello.value = all;
  });
}

export async function loadServers(): Promise<void> {
  servers.value = await get<Servers>("/servers");
}

function keep(link: Link): void {
  const at = links.value.findIndex((l) => l.id === link.id);
  links.value = at < 0 ? [...links.value, link] : links.value.map((l, i) => (i === at ? link : l));
}

interface Counted {
  frames: number;
  calls: number;
  logs: number;
}

const counted = signal<Readonly<Record<string, Counted>>>({});

/** countsOf is how much a connection has seen: what it told of itself, and what came after that. None of it grows less. */
export function countsOf(link: Link): Counted {
  const { frames, calls, logs } = link.counts;
  const later = counted.value[link.id];
  return later ? { frames: Math.max(frames, later.frames), calls: Math.max(calls, later.calls), logs: Math.max(logs, later.logs) } : { frames, calls, logs };
}

function count(link: string | undefined, part: Partial<Counted>): void {
  if (link) counted.value = { ...counted.value, [link]: { frames: 0, calls: 0, logs: 0, ...counted.value[link], ...part } };
}

/** followLinks keeps what is shown in step with what happens. */
export function followLinks(): void {
  on("link", (e) => e.state && keep(e.state));
  on("link_gone", (e) => (links.value = links.value.filter((l) => l.id !== e.link)));
  on("frames", (e) => count(e.link, { frames: e.count }));
  on("log", (e) => count(e.link, { logs: e.count }));
  on("call", (e) => count(e.link, { calls: Math.max(e.call?.n ?? 0, counted.value[e.link ?? ""]?.calls ?? 0) }));
  on("servers", () => void loadServers().catch(complain));
  on("again", () => {
    counted.value = {}; // it may be another process
    void loadAll().catch(complain);
  });
}

/** connect opens a connection to a server that may be started. */
export async function connect(server: Server, how: Partial<NewLink> = {}): Promise<Link> {
  const link = await post<Link>("/links", { ...how, server: server.id });
  if (!links.value.some((l) => l.id === link.id)) keep(link); // an event may have told of it since
  return link;
}

/** connectAnew opens a connection in place of those to the server that never came to be. */
export async function connectAnew(server: Server, how: Partial<NewLink> = {}): Promise<void> {
  const failed = links.value.filter((l) => l.server === server.id && l.state === "failed");
  await connect(server, how);
  for (const link of failed) await forget(link);
}

// What comes of these is told by events alone: the answer may be older than what they told meanwhile.

export async function reconnect(link: Link): Promise<void> {
  await post<Link>(path("links", link.id, "reconnect"));
}

export async function disconnect(link: Link): Promise<void> {
  await post<Link>(path("links", link.id, "close"));
}

export async function forget(link: Link): Promise<void> {
  await remove(path("links", link.id));
  links.value = links.value.filter((l) => l.id !== link.id);
  if (route.value.link === link.id) go(route.value.view);
}

/** onCall hears of the calls of one connection. */
export function onCall(link: string, hear: (call: Call) => void): () => void {
  return on("call", (e) => e.link === link && e.call && hear(e.call));
}
