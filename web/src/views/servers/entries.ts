// A server with its connections; a transcript is a connection without a server.
import type { Link, Server } from "../../api.gen";

export interface Entry {
  id: string;
  name: string;
  server: Server | null;
  links: Link[];
}

/** entries joins servers and connections. Connected servers come first, built-in servers last, except those given on the command line. */
export function entries(servers: Server[], links: Link[]): Entry[] {
  const given = new Set(servers.filter((s) => s.source === "given").map((s) => s.name));
  const known = servers.filter((s) => s.source !== "builtin" || !given.has(s.name)).map((s) => ({ id: s.id, name: s.name, server: s, links: links.filter((l) => l.server === s.id) }));
  const ids = new Set(servers.map((s) => s.id));
  const others = links.filter((l) => !l.server || !ids.has(l.server)).map((l) => ({ id: l.id, name: l.name, server: null, links: [l] }));
  const rank = (e: Entry) => (e.links.length > 0 ? 0 : e.server?.source === "builtin" ? 2 : 1);
  return [...known, ...others].sort((a, b) => rank(a) - rank(b));
}

/** titleOf is the name of an entry. A server given as a bare command has the name that it reports, once it is known. */
export function titleOf(e: Entry): string {
  const bare = e.server?.source === "given" && e.server.kind === "command";
  const said = e.links.find((l) => l.server_name);
  return bare && said ? said.server_title || said.server_name! : e.name;
}

const sources: Record<string, string> = { given: "from the command line", page: "added here", builtin: "built into mcptest" };

/** sourceOf returns where a server is defined. */
export function sourceOf(server: Server): string {
  if (server.source === "config") return [server.host, server.scope].filter(Boolean).join(", ") || "config file";
  return sources[server.source] ?? server.source;
}

/** addressOf is the command or URL of a server, in one line. */
export function addressOf(e: Entry): string {
  if (!e.server) return e.links[0]?.address ?? "";
  return e.server.url ?? (e.server.command ?? []).join(" ");
}
