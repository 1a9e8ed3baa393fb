// The filter of the timeline.
import type { Frame } from "../../api.gen";
import { isFrame, type Row } from "./rows";

export interface Filter {
  text: string;
  side: string; // client, server, stderr; empty for all
  kind: string; // request, notification, result, error …, message for any of them, problem for what failed; empty for all
  method: string; // empty for all
  id: string; // as JSON, or the text of a string; empty for all
  folded: boolean; // hides responses whose request has the verdict
}

/** everything matches all rows. */
export const everything: Filter = { text: "", side: "", kind: "", method: "", id: "", folded: false };

/** filtered lists the matching rows. Hits are the frames whose body contains the text; a row has only its beginning. */
export function filtered(rows: readonly Row[], filter: Filter, hits: ReadonlySet<number> | null): readonly Row[] {
  if (filter.text === "" && filter.side === "" && filter.kind === "" && filter.method === "" && filter.id === "" && !filter.folded) return rows;
  const wanted = filter.text.toLowerCase();
  return rows.filter((row) => {
    if (isFrame(row)) return fits(row, filter) && (wanted === "" || mentions(row, wanted) || hits?.has(row.seq) === true);
    return (filter.side === "" || filter.side === "stderr") && filter.kind === "" && filter.method === "" && filter.id === "" && row.text.toLowerCase().includes(wanted);
  });
}

function fits(f: Frame, filter: Filter): boolean {
  return (
    (filter.side === "" || f.from === filter.side) &&
    (filter.kind === "" || filter.kind === "message" || f.kind === filter.kind || (filter.kind === "problem" && failed(f))) &&
    (filter.id === "" || f.id_json === filter.id || f.id_json === JSON.stringify(filter.id)) &&
    !(filter.folded && f.pair !== undefined && f.pair < f.seq) &&
    (filter.method === "" || f.method === filter.method)
  );
}

function mentions(f: Frame, wanted: string): boolean {
  return [f.method, f.name, f.id_json, f.preview].some((text) => text?.toLowerCase().includes(wanted));
}

/** failed reports whether something is wrong with a frame. */
export function failed(f: Frame): boolean {
  return f.kind === "error" || f.kind === "other" || (f.verdict ?? "ok") !== "ok" || f.fault !== undefined || f.odd !== undefined || (f.status ?? 0) >= 400;
}
