// The tools of each connection, read once and again after a list change notification.
import { signal, type Signal } from "@preact/signals";
import type { Item, Link, List } from "../../api.gen";
import { get, path } from "../../api/client";
import { on } from "../../api/events";

export interface ToolList {
  list: List | null;
  problem: string;
}

const lists = new Map<string, { opened: string; tools: Signal<ToolList> }>();

/** toolsOf is the list of a connection. A reopened connection has a new one. */
export function toolsOf(link: Link): Signal<ToolList> {
  const opened = link.state + link.since;
  const known = lists.get(link.id);
  if (known?.opened === opened) return known.tools;
  const tools = known?.tools ?? signal<ToolList>({ list: null, problem: "" });
  lists.set(link.id, { opened, tools });
  if (link.state === "open") void load(link.id, tools, false);
  return tools;
}

async function load(link: string, into: Signal<ToolList>, fresh: boolean): Promise<void> {
  try {
    into.value = { list: await get<List>(path("links", link, "list", "tools") + (fresh ? "?fresh=1" : "")), problem: "" };
  } catch (e) {
    into.value = { list: into.value.list, problem: e instanceof Error ? e.message : String(e) };
  }
}

/** reloadTools requests the list again. */
export async function reloadTools(link: string): Promise<void> {
  const known = lists.get(link);
  if (known) await load(link, known.tools, true);
}

on("list_changed", (e) => {
  if (e.list === "tools" && e.link) void reloadTools(e.link);
});

/** searchText is the text that the filter searches. */
export function searchText(item: Item): string {
  return `${item.name} ${item.title ?? ""} ${item.description ?? ""} ${(item.annotations ?? []).map((b) => b.text).join(" ")}`;
}
