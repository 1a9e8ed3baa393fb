// Which rows of the timeline are shown.
import type { Frame } from "../../api.gen";

export interface Filter {
  text: string;
  side: string; // client, server; empty for both
  kind: string; // request, notification, result, error; empty for all
  method: string; // empty for all
}

/** everything hides nothing. */
export const everything: Filter = { text: "", side: "", kind: "", method: "" };

/** filtered lists the rows that fit. Hits are those whose whole body holds the text; the row alone shows its beginning. */
export function filtered(frames: readonly Frame[], filter: Filter, hits: ReadonlySet<number> | null): readonly Frame[] {
  if (filter.text === "" && filter.side === "" && filter.kind === "" && filter.method === "") return frames;
  const wanted = filter.text.toLowerCase();
  return frames.filter((f) => fits(f, filter) && (wanted === "" || mentions(f, wanted) || hits?.has(f.seq) === true));
}

function fits(f: Frame, filter: Filter): boolean {
  return (
    (filter.side === "" || f.from === filter.side) &&
    (filter.kind === "" || f.kind === filter.kind) &&
    (filter.method === "" || f.method === filter.method)
  );
}

function mentions(f: Frame, wanted: string): boolean {
  return [f.method, f.name, f.id_json, f.preview].some((text) => text?.toLowerCase().includes(wanted));
}
