// Verbatim text. A long text is split into rows of equal height, so that only visible rows are in the document.
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { VirtualRows } from "./virtual";

const short = 20_000; // characters below which the text is not split

export function TextView({ text, label }: { text: string; label: string }) {
  return text.length <= short ? <pre class="text-view">{text}</pre> : <LongText text={text} label={label} />;
}

function LongText({ text, label }: { text: string; label: string }) {
  const box = useRef<HTMLDivElement>(null);
  const [columns, setColumns] = useState(100);
  useLayoutEffect(() => {
    const measure = () => setColumns(Math.max(20, Math.floor(box.current!.clientWidth / 7.4)));
    const sizes = new ResizeObserver(measure);
    sizes.observe(box.current!);
    measure();
    return () => sizes.disconnect();
  }, []);
  const rows = useMemo(() => cut(text, columns), [text, columns]);
  return (
    <div ref={box} role="group" aria-label={label}>
      <VirtualRows count={rows.length / 2} height={20} row={(i) => <div class="text-line">{text.slice(rows[i * 2], rows[i * 2 + 1])}</div>} />
    </div>
  );
}

/** cut returns the start and end of each row: a line, or as much of it as fits. */
function cut(text: string, columns: number): number[] {
  const rows: number[] = [];
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    let at = start;
    do {
      rows.push(at, Math.min(at + columns, end));
      at += columns;
    } while (at < end);
    start = end + 1;
  }
  return rows;
}
