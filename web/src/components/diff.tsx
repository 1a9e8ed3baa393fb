// The difference between two things, line by line. Every difference on the page is shown by this component.
import { useMemo } from "preact/hooks";
import { diffLines, pairs, type DiffLine } from "../json/diff";
import { persisted } from "../state/persist";
import { Dialog } from "./dialog";
import { Segments } from "./segments";
import { VirtualRows } from "./virtual";

const tones: Record<DiffLine["sign"], string> = { " ": "", "+": "plus", "-": "minus", "@": "gap" };
const most = 400; // lines that are all in the document

export function Diff({ label, lines }: { label: string; lines: DiffLine[] }) {
  const line = (i: number) => {
    const l = lines[i]!;
    return <div key={i} class={"line " + tones[l.sign]}>{l.sign === "@" ? l.text : `${l.sign} ${l.text}`}</div>;
  };
  return (
    <div class="diff" data-testid="diff" tabIndex={0} role="group" aria-label={label}>
      {lines.length > most ? <VirtualRows count={lines.length} height={20} row={line} /> : lines.map((_, i) => line(i))}
    </div>
  );
}

// SideBySide shows the two sides next to each other, in aligned lines.
function SideBySide({ label, lines }: { label: string; lines: DiffLine[] }) {
  const rows = useMemo(() => pairs(lines), [lines]);
  const row = (i: number) => {
    const r = rows[i]!;
    return (
      <div key={i} class="diff-pair">
        <div class={"line " + (r.same ? "" : r.left === null ? "none" : "minus")}>{r.left}</div>
        <div class={"line " + (r.same ? "" : r.right === null ? "none" : "plus")}>{r.right}</div>
      </div>
    );
  };
  return (
    <div class="diff" data-testid="diff" data-layout="side" tabIndex={0} role="group" aria-label={label}>
      {rows.length > most ? <VirtualRows count={rows.length} height={20} row={row} /> : rows.map((_, i) => row(i))}
    </div>
  );
}

const layout = persisted("diff-layout", "lines");

/** unified reads the lines of a unified diff. */
export function unified(text: string): DiffLine[] {
  return text.trimEnd().split("\n").filter((line) => !/^(diff |--- |\+\+\+ )/.test(line)).map((line): DiffLine => {
    const sign = line[0] === "+" || line[0] === "-" ? line[0] : line.startsWith("@@") ? "@" : " ";
    return { sign, text: sign === "@" ? line : line.slice(1) };
  });
}

interface Props {
  title: string;
  a: { name: string; text: string };
  b: { name: string; text: string };
  onClose: () => void;
}

/** DiffDialog compares two texts. */
export function DiffDialog({ title, a, b, onClose }: Props) {
  const lines = useMemo(() => diffLines(a.text.split("\n"), b.text.split("\n")), [a.text, b.text]);
  const count = (sign: DiffLine["sign"]) => lines.filter((l) => l.sign === sign).length;
  const same = a.text === b.text;
  return (
    <Dialog title={title} onClose={onClose} wide>
      {same ? <p class="muted" role="status">No differences.</p> : (
        <div class="stack">
          <div class="row wrap small"><span class="badge bad">− {a.name}</span><span class="muted tabular">{count("-")} lines</span><span class="badge good">+ {b.name}</span><span class="muted tabular">{count("+")} lines</span><span class="grow" />
            <Segments label="Layout" value={layout.value} onChange={(v) => (layout.value = v)} segments={[{ value: "lines", text: "Lines" }, { value: "side", text: "Side by side" }]} />
          </div>
          {layout.value === "side" ? <SideBySide label={title} lines={lines} /> : <Diff label={title} lines={lines} />}
        </div>
      )}
    </Dialog>
  );
}
