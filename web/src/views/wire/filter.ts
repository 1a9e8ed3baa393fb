// The filter of the timeline.
import type { Frame } from "../../api.gen";
import { isFrame, type Row } from "./rows";

export interface Filter {
  text: string;
  side: string; // client, server, stderr; empty for all
  kind: string; // request, notification, result, error …, message for any of them; empty for all
  method: string; // empty for all
}

/** everything matches all rows. */
export const everything: Filter = { text: "", side: "", kind: "", method: "" };

/** filtered lists the matching rows. Hits are the frames whose body contains the text; a row has only its beginning. */
export function filtered(rows: readonly Row[], filter: Filter, hits: ReadonlySet<number> | null): readonly Row[] {
  if (filter.text === "" && filter.side === "" && filter.kind === "" && filter.method === "") return rows;
  const wanted = filter.text.toLowerCase();
  return rows.filter((row) => {
    if (isFrame(row)) return fits(row, filter) && (wanted === "" || mentions(row, wanted) || hits?.has(row.seq) === true);
    return (filter.side === "" || filter.side === "stderr") && filter.kind === "" && filter.method === "" && row.text.toLowerCase().includes(wanted);
  });
}

function fits(f: Frame, filter: Filter): boolean {
  return (
    (filter.side === "" || f.from === filter.side) &&
    (filter.kind === "" || filter.kind === "message" || f.kind === filter.kind) &&
    (filter.method === "" || f.method === filter.method)
  );
}

function mentions(f: Frame, wanted: string): boolean {
  return [f.method, f.name, f.id_json, f.preview].some((text) => text?.toLowerCase().includes(wanted));
}
