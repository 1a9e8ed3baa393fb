// The storage of saved calls, by server and tool.
import { store, stored, storedNames } from "../../state/persist";
import type { Draft } from "./workspace";

export interface Saved {
  name: string;
  draft: Draft;
  sends?: string; // the arguments that would be sent
}

const under = (entry: string) => `saved:${entry}:`;

export function savedOf(entry: string, tool: string): Saved[] {
  return stored<Saved[]>(under(entry) + tool, []);
}

export function storeSaved(entry: string, tool: string, all: Saved[]): void {
  store(under(entry) + tool, all.length > 0 ? all : undefined);
}

/** allSaved lists the saved calls of all tools of a server. */
export function allSaved(entry: string): { tool: string; saved: Saved }[] {
  return storedNames(under(entry)).flatMap((key) => {
    const tool = key.slice(under(entry).length);
    return savedOf(entry, tool).map((saved) => ({ tool, saved }));
  });
}
