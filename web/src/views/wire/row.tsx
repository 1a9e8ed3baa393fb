// One row of the timeline: time, direction, message, duration.
import type { Frame, StderrLine } from "../../api.gen";
import { duration } from "../../components/size";
import { exactly, offset, weight } from "./units";

export function FrameRow({ frame: f, start }: { frame: Frame; start: string }) {
  const quiet = f.kind === "result" || f.kind === "http";
  return (
    <div class="frame-row">
      <span class="seq">{f.seq}</span>
      <span class="at" title={exactly(f.time)}>{offset(f.time, start)}</span>
      <span class={"way " + (f.kind === "error" ? "error" : f.from)}>{f.from === "client" ? "→" : "←"}</span>
      <span class="what">
        <span class={"method cut" + (f.kind === "error" ? " error" : quiet ? " answer" : "")}>{title(f)}</span>
        {f.conn !== undefined && f.conn > 1 && <span class="conn" title={`Connection ${f.conn}, with separate IDs`}>#{f.conn}</span>}
        <span class="preview cut">{f.name && <b>{f.name} </b>}{f.preview}</span>
        {f.verdict && f.verdict !== "ok" && f.kind !== "error" && <span class="frame-verdict" title={f.verdict}>{f.verdict.split(":")[0]}</span>}
        {(f.fault || f.odd) && <span class="flag" title={[f.fault, ...(f.odd ?? [])].filter(Boolean).join("; ")}>▲</span>}
      </span>
      <Duration ns={f.elapsed_ns} />
      <span class="weight">{weight(f.size)}</span>
    </div>
  );
}

/** LineRow is a line of stderr between the frames. */
export function LineRow({ line, start }: { line: StderrLine; start: string }) {
  return (
    <div class="frame-row">
      <span class="seq" />
      <span class="at" title={exactly(line.time)}>{offset(line.time, start)}</span>
      <span class="way beside" role="img" aria-label="stderr">!</span>
      <span class="what"><span class="stderr-line cut">{line.text}</span></span>
    </div>
  );
}

// title is the method of a frame, or its kind if it has none.
function title(f: Frame): string {
  switch (f.kind) {
    case "result":
      return f.method ? "✓ " + f.method : "result";
    case "error":
      return f.method ? "✗ " + f.method : "error";
    case "http":
      return "HTTP " + (f.status ?? "");
    case "batch":
      return "batch";
    case "other":
      return "not a message";
  }
  return f.method ?? f.kind;
}

// Duration shows the duration of a request as a bar on a logarithmic scale: 1 ms is a fifth of it, 10 s the full width.
function Duration({ ns }: { ns?: number }) {
  if (ns === undefined) return <span class="took" />;
  const share = Math.min(1, Math.max(0.05, (Math.log10(ns) - 5) / 5));
  return (
    <span class={"took" + (ns > 1e9 ? " slow" : "")}>
      {duration(ns)}
      <i style={{ width: `${Math.round(share * 100)}%` }} />
    </span>
  );
}
