// The difference between two things, line by line. Every difference on the page is shown by this component.
import { useMemo } from "preact/hooks";
import { diffLines, type DiffLine } from "../json/diff";
import { Dialog } from "./dialog";
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
          <p class="row wrap small"><span class="badge bad">− {a.name}</span><span class="muted tabular">{count("-")} lines</span><span class="badge good">+ {b.name}</span><span class="muted tabular">{count("+")} lines</span></p>
          <Diff label={title} lines={lines} />
        </div>
      )}
    </Dialog>
  );
}
