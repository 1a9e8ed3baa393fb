// Two results, line by line.
import { useEffect, useState } from "preact/hooks";
import type { Call } from "../../api.gen";
import { get, path, send } from "../../api/client";
import { Dialog } from "../../components/dialog";
import { VirtualRows } from "../../components/virtual";
import { showError } from "../../components/toasts";
import { format } from "../../json/format";
import { diffLines, type DiffLine } from "../../json/diff";

export function DiffDialog({ a, b, onClose }: { a: Call; b: Call; onClose: () => void }) {
  const [lines, setLines] = useState<DiffLine[] | null>(null);
  useEffect(() => {
    Promise.all([resultOf(a), resultOf(b)]).then(([x, y]) => setLines(diffLines(x, y)), showError);
  }, [a.n, b.n]);
  const changed = lines?.some((l) => l.sign !== " ");
  return (
    <Dialog title={`Call ${a.n} and call ${b.n}`} onClose={onClose} wide>
      {lines && !changed && <p class="muted">The results are identical.</p>}
      {lines && changed && (
        <div class="diff" data-testid="diff">
          <VirtualRows count={lines.length} height={20} row={(i) => {
            const l = lines[i]!;
            return <div class={"line " + (l.sign === "+" ? "plus" : l.sign === "-" ? "minus" : "")}>{l.sign} {l.text}</div>;
          }} />
        </div>
      )}
    </Dialog>
  );
}

/** resultOf is the result with line breaks, else the raw response. */
async function resultOf(call: Call): Promise<string[]> {
  const full = await get<Call>(path("links", call.link, "calls", call.n));
  const text = full.result_json ?? format(await (await send("GET", path("links", call.link, "calls", call.n, "raw"))).text());
  return text.split("\n");
}
