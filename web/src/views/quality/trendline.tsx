// The runs of this session in a row, to see the trend and to compare two of them.
import { useSignal } from "@preact/signals";
import { DiffDialog } from "../../components/diff";
import { clock, plural } from "../../components/size";
import { toneOfGrade } from "./report";
import { trendOf, type Past } from "./trend";

export function TrendLine({ link, operation }: { link: string; operation: string }) {
  const runs = trendOf(link, operation).value;
  const compared = useSignal<number | null>(null);
  if (runs.length < 2) return null;
  const last = runs[runs.length - 1]!;
  const chosen = compared.value === null ? null : runs[compared.value];
  return (
    <div class="trend" role="group" aria-label="Runs of this session">
      <span class="small muted">{direction(runs[runs.length - 2]!, last)}</span>
      <ol>
        {runs.map((r, i) => (
          <li key={r.at}>
            <button type="button" class="trend-run" disabled={r === last} title={r === last ? "The run that is shown" : "Compare with the latest run"}
              aria-label={`Run at ${clock(r.at)}: ${words(r)}` + (r === last ? "" : ". Compare with the latest run")} onClick={() => (compared.value = i)}>
              <span class={"badge " + (r.grade ? toneOfGrade(r.grade) : errors(r) > 0 ? "bad" : r.counts.warning > 0 ? "warn" : "good")}>{r.grade || (errors(r) > 0 ? plural(errors(r), "error") : plural(r.counts.warning, "warning"))}</span>
              <span class="faint small tabular">{clock(r.at).slice(0, 5)}</span>
            </button>
          </li>
        ))}
      </ol>
      {chosen && <DiffDialog title={`Findings at ${clock(chosen.at)} and ${clock(last.at)}`} onClose={() => (compared.value = null)}
        a={{ name: "only at " + clock(chosen.at), text: chosen.lines.join("\n") }} b={{ name: "only at " + clock(last.at), text: last.lines.join("\n") }} />}
    </div>
  );
}

const errors = (r: Past) => r.counts.critical + r.counts.error;

function words(r: Past): string {
  return [r.grade && "grade " + r.grade, plural(errors(r), "error"), plural(r.counts.warning, "warning")].filter(Boolean).join(", ");
}

/** direction compares the findings of two runs. */
export function direction(before: Past, now: Past): string {
  const gone = before.lines.filter((l) => !now.lines.includes(l)).length;
  const added = now.lines.filter((l) => !before.lines.includes(l)).length;
  if (gone === 0 && added === 0) return "Same findings as in the run before.";
  return `Since the run before: ${gone} resolved, ${added} new.`;
}
