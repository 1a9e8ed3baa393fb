// JSON as a collapsible tree. It stores only the text: any size stays fast, and numbers are verbatim.
import { useMemo, useState } from "preact/hooks";
import { firstOpen, opens, rowsOf, type Row } from "../json/rows";
import { content } from "../json/spans";
import { copy } from "./toasts";
import { TextView } from "./textview";
import { VirtualRows } from "./virtual";

const longest = 400; // characters of one value in a row

export function JsonTree({ text, label }: { text: string; label: string }) {
  const [state, setState] = useState<{ text: string; open: Set<number> }>(() => ({ text, open: firstOpen(text, 200) }));
  if (state.text !== text) setState({ text, open: firstOpen(text, 200) });
  const rows = useMemo(() => rowsOf(text, state.open), [text, state.open]);
  const [active, setActive] = useState(0);

  if (rows.length === 0) return <TextView text={text} label={label} />;

  const toggle = (row: Row, to = !state.open.has(row.id)) => {
    if (!opens(text, row)) return;
    const open = new Set(state.open);
    if (to) open.add(row.id);
    else open.delete(row.id);
    setState({ text, open });
  };
  const onKeyDown = (e: KeyboardEvent) => {
    const row = rows[active];
    if (!row) return;
    if (e.key === "ArrowDown") setActive(Math.min(rows.length - 1, active + 1));
    else if (e.key === "ArrowUp") setActive(Math.max(0, active - 1));
    else if (e.key === "Home") setActive(0);
    else if (e.key === "End") setActive(rows.length - 1);
    else if (e.key === "ArrowRight") toggle(row, true);
    else if (e.key === "ArrowLeft" && state.open.has(row.id)) toggle(row, false);
    else if (e.key === "ArrowLeft") setActive(Math.max(0, rows.findLastIndex((r, i) => i < active && r.depth < row.depth)));
    else if (e.key === "Enter") toggle(row);
    else return;
    e.preventDefault();
  };
  return (
    <div class="tree" role="tree" aria-label={label} tabIndex={0} onKeyDown={onKeyDown}>
      <VirtualRows count={rows.length} height={20} reveal={active === 0 ? -1 : active} row={(i) => {
        const row = rows[i];
        if (!row) return null;
        const can = opens(text, row);
        const isOpen = can && state.open.has(row.id);
        return (
          <div class={"tree-row" + (can ? " opens" : "") + (i === active ? " active" : "")} role="treeitem" aria-level={row.depth + 1}
            aria-expanded={can ? isOpen : undefined} aria-selected={i === active} style={{ paddingLeft: row.depth * 16 + "px" }}
            onClick={() => { setActive(i); toggle(row); }}>
            <span class={"twist" + (can ? (isOpen ? " on" : "") : " none")} />
            <Value text={text} row={row} isOpen={isOpen} />
            {row.line === undefined && (
              <button type="button" class="copy-one" tabIndex={-1} onClick={(e) => { e.stopPropagation(); void copy(text.slice(row.span.start, row.span.end)); }}>copy</button>
            )}
          </div>
        );
      }} />
    </div>
  );
}

const classes = { string: "s", number: "n", word: "w", object: "preview", array: "preview" };

function Value({ text, row, isOpen }: { text: string; row: Row; isOpen: boolean }) {
  if (row.line !== undefined) return <span class="s">{row.line}</span>;
  const { kind, start, end } = row.span;
  const name = row.key !== null ? <span class="k">{row.key}<span class="faint">: </span></span> : row.index >= 0 ? <span class="faint">{row.index}: </span> : null;
  return (
    <span class="cut">
      {name}
      <span class={classes[kind]}>{isOpen ? bracket(kind, end - start) : shorten(kind, text, start, end)}</span>
    </span>
  );
}

function bracket(kind: string, length: number): string {
  return kind === "object" ? "{" : kind === "array" ? "[" : `${length - 2} characters`;
}

function shorten(kind: string, text: string, start: number, end: number): string {
  const raw = text.slice(start, Math.min(end, start + longest));
  const cut = end - start > longest ? "…" : "";
  if (kind === "object" || kind === "array") return raw.replace(/\s+/g, " ").slice(0, 100) + (end - start > 100 ? "…" : "");
  if (kind === "string" && cut === "") return JSON.stringify(content(raw));
  return raw + cut;
}
