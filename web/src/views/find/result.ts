// The result of the operation find, as it prints it.

export interface Found {
  engines: Engine[];
  queries: Query[];
  edits?: Edit[];
  untried?: number; // misses for which no edit was looked for
  unasked?: number; // tools without queries, because there are too many
}

/** An Engine is the tool search of a host. */
export interface Engine {
  id: string;
  name: string;
  version?: string;
  limit: number; // tools that it returns by default
  recall?: number; // share of the expected tools that it returns
  lost?: string[] | null; // tools that it returns for none of the queries made from them
  shadows?: { tool: string; by: string }[] | null;
}

export interface Query {
  query: string;
  tools?: string[] | null; // expected
  ranks?: Record<string, number>; // by search; 0 if it is not returned
  top: Record<string, string[] | null>; // by search, best first
}

export interface Edit {
  tool: string;
  queries: string[]; // that return the tool with it
  added: string[];
  description: string;
}

/** readFound reads the result of a run; null if there is none. */
export function readFound(text: string): Found | null {
  return text === "" ? null : (JSON.parse(text) as Found);
}

/** misses reports whether a search does not return an expected tool. */
export function misses(q: Query, e: Engine): boolean {
  const rank = q.ranks?.[e.id];
  return rank !== undefined && (rank === 0 || rank > e.limit);
}

/** A Hidden is a tool that searches do not return for its own words, and the one that they return first. */
export interface Hidden {
  tool: string;
  by: string;
  engines: Engine[];
}

/** hiddenIn lists the pairs of all searches, those of most searches first. */
export function hiddenIn(engines: Engine[]): Hidden[] {
  const pairs = new Map<string, Hidden>();
  for (const e of engines) {
    for (const { tool, by } of e.shadows ?? []) {
      const pair = pairs.get(tool + "\n" + by) ?? { tool, by, engines: [] };
      pair.engines.push(e);
      pairs.set(tool + "\n" + by, pair);
    }
  }
  return [...pairs.values()].sort((a, b) => b.engines.length - a.engines.length);
}
