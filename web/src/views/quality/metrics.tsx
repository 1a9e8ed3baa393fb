// The statistics of a load test, above its findings.
import type { LoadFigures } from "./report";

export function Figures({ load }: { load: LoadFigures }) {
  const ms = (value: number) => (value >= 1000 ? `${(value / 1000).toPrecision(3)} s` : `${Number(value.toPrecision(3))} ms`);
  const shown: [what: string, n: string][] = [
    ["Calls", load.calls.toLocaleString("en")],
    ["Successful calls per second", load.rate.toFixed(1)],
    ["Errors", load.errors.toLocaleString("en")],
    ["p50", ms(load.latency_ms.p50)],
    ["p95", ms(load.latency_ms.p95)],
    ["p99", ms(load.latency_ms.p99)],
    ["Max", ms(load.latency_ms.max)],
  ];
  if (load.checked > 0) shown.push(["Mismatched responses", `${load.mixed_up} of ${load.checked.toLocaleString("en")}`]);
  return (
    <div class="pane-head figures slim-figures" role="group" aria-label="Load statistics">
      {shown.map(([what, n]) => <div key={what} class="figure"><span class="what">{what}</span><span class="n">{n}</span></div>)}
    </div>
  );
}
