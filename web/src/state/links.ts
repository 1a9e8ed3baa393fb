// The servers and connections of the Go side.
import { batch, computed, effect, signal } from "@preact/signals";
import type { Call, Hello, Link, NewLink, Server, Servers } from "../api.gen";
import { get, path, post, remove } from "../api/client";
import { on } from "../api/events";
import { showError } from "../components/toasts";
import { route, go } from "./route";

export const hello = signal<Hello | null>(null);
export const servers = signal<Servers>({ servers: [], problems: [], looked: [] });
export const links = signal<Link[]>([]);

/** named is the connection in the URL, given directly or by its server: the newest open one if there are several. */
const named = computed<Link | undefined>(() => {
  const to = route.value.link;
  const of = links.value.filter((l) => to !== "" && l.server === to);
  return links.value.find((l) => l.id === to) ?? of.findLast((l) => l.state === "open") ?? of.at(-1);
});

const lately = signal(""); // the connection that was last in the URL

effect(() => {
  if (named.value) lately.value = named.value.id;
});

/** current is the connection in the URL, else the last one shown, else the first open one, else the first. */
export const current = computed<Link | null>(() => {
  const all = links.value;
  return named.value ?? all.find((l) => l.id === lately.value) ?? all.find((l) => l.state === "open") ?? all[0] ?? null;
});

/** loadAll reads the whole state in one batch: at the start, and after the event stream was interrupted. */
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

function upsert(link: Link): void {
  const at = links.value.findIndex((l) => l.id === link.id);
  links.value = at < 0 ? [...links.value, link] : links.value.map((l, i) => (i === at ? link : l));
}

interface Counted {
  frames: number;
  calls: number;
  logs: number;
}

const counted = signal<Readonly<Record<string, Counted>>>({});

/** countsOf returns the counts of a connection: those it reported, and events since then. They never decrease. */
export function countsOf(link: Link): Counted {
  const { frames, calls, logs } = link.counts;
  const later = counted.value[link.id];
  return later ? { frames: Math.max(frames, later.frames), calls: Math.max(calls, later.calls), logs: Math.max(logs, later.logs) } : { frames, calls, logs };
}

function count(link: string | undefined, part: Partial<Counted>): void {
  if (link) counted.value = { ...counted.value, [link]: { frames: 0, calls: 0, logs: 0, ...counted.value[link], ...part } };
}

/** followLinks updates the state from events. */
export function followLinks(): void {
  on("link", (e) => e.state && upsert(e.state));
  on("link_gone", (e) => (links.value = links.value.filter((l) => l.id !== e.link)));
  on("frames", (e) => count(e.link, { frames: e.count }));
  on("log", (e) => count(e.link, { logs: e.count }));
  on("call", (e) => count(e.link, { calls: Math.max(e.call?.n ?? 0, counted.value[e.link ?? ""]?.calls ?? 0) }));
  on("servers", () => void loadServers().catch(showError));
  on("again", () => {
    counted.value = {}; // it may be another process now
    void loadAll().catch(showError);
  });
}

/** connect opens a connection to an approved server. */
export async function connect(server: Server, how: Partial<NewLink> = {}): Promise<Link> {
  const link = await post<Link>("/links", { ...how, server: server.id });
  if (!links.value.some((l) => l.id === link.id)) upsert(link); // an event may have added it already
  return link;
}

/** openConnection opens a connection and removes the failed ones to the same server. */
export async function openConnection(server: Server, how: Partial<NewLink> = {}): Promise<void> {
  const failed = links.value.filter((l) => l.server === server.id && l.state === "failed");
  await connect(server, how);
  for (const link of failed) await removeLink(link);
}

// The outcome of these is taken from events only: the response may be older than an event.

export async function reconnect(link: Link): Promise<void> {
  await post<Link>(path("links", link.id, "reconnect"));
}

export async function disconnect(link: Link): Promise<void> {
  await post<Link>(path("links", link.id, "close"));
}

export async function removeLink(link: Link): Promise<void> {
  await remove(path("links", link.id));
  links.value = links.value.filter((l) => l.id !== link.id);
  if (route.value.link === link.id) go(route.value.view);
}

/** onCall subscribes to the calls of one connection. */
export function onCall(link: string, hear: (call: Call) => void): () => void {
  return on("call", (e) => e.link === link && e.call && hear(e.call));
}
