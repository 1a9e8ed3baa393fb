// What is searched for: queries made from the tools, or typed ones with the tool that each should return.
import { signal, type Signal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { Link } from "../../api.gen";
import { Icon } from "../../components/icon";
import { Segments } from "../../components/segments";
import { store, stored } from "../../state/persist";
import { useItems } from "../features/items";

/** A Line is a typed query. */
interface Line {
  query: string;
  tool: string; // expected; empty if unknown
}

/** Typed is the form of a server. */
export interface Typed {
  own: boolean; // the lines are used, instead of queries made from the tools
  lines: Line[];
  as: string;
}

const forms = new Map<string, Signal<Typed>>();
const empty: Line = { query: "", tool: "" };

/** typedOf is the form of a server. It survives a reload. */
export function typedOf(link: Link): Signal<Typed> {
  const known = forms.get(link.name) ?? signal(stored<Typed>("find:" + link.name, { own: false, lines: [empty], as: "" }));
  forms.set(link.name, known);
  return known;
}

/** inputOf is the input of the operation. */
export function inputOf(link: Link, typed: Typed): string {
  const as = typed.as.trim() || defaultName(link);
  const lines = typed.own ? typed.lines.filter((l) => l.query.trim() !== "") : [];
  return JSON.stringify({ as, expected: lines.map((l) => ({ query: l.query.trim(), tools: l.tool.trim() === "" ? [] : [l.tool.trim()] })) });
}

// defaultName is the name that the command line uses: that of a configured server, not a URL or a command.
function defaultName(link: Link): string {
  return /[/\\: ]|\.json$/.test(link.name) ? "server" : link.name;
}

export function Queries({ link }: { link: Link }) {
  const typed = typedOf(link);
  const list = useId();
  const tools = useItems(link, "tools").list.value?.items ?? [];
  const set = (part: Partial<Typed>) => {
    typed.value = { ...typed.value, ...part };
    store("find:" + link.name, typed.value);
  };
  const setLine = (at: number, part: Partial<Line>) => set({ lines: typed.value.lines.map((l, i) => (i === at ? { ...l, ...part } : l)) });
  const { own, lines, as } = typed.value;
  return (
    <div class="stack gap-wide">
      <div class="stack tight">
        <span class="field-name">Queries</span>
        <div><Segments label="Queries" value={own ? "own" : "tools"} onChange={(v) => set({ own: v === "own" })} segments={[{ value: "tools", text: "From the tools" }, { value: "own", text: "Your own" }]} /></div>
        {!own && <p class="small muted">Made from each tool: its name as words, its title, the first sentence of its description, and verb and object.</p>}
      </div>
      {own && (
        <ol class="stack" aria-label="Your queries">
          {lines.map((l, i) => (
            <li key={i} class="card find-line">
              <input class="input" aria-label={`Query ${i + 1}`} placeholder="what a model would search for" value={l.query} onInput={(e) => setLine(i, { query: e.currentTarget.value })} />
              <input class="input mono" aria-label={`Expected tool of query ${i + 1}`} placeholder="expected tool (optional)" list={list} value={l.tool} spellcheck={false} autocomplete="off" onInput={(e) => setLine(i, { tool: e.currentTarget.value })} />
              <button type="button" class="button quiet slim icon" aria-label={`Remove query ${i + 1}`} onClick={() => set({ lines: lines.length > 1 ? lines.filter((_, at) => at !== i) : [empty] })}><Icon name="trash" /></button>
            </li>
          ))}
          <li><button type="button" class="button slim" onClick={() => set({ lines: [...lines, empty] })}><Icon name="plus" />Add query</button></li>
        </ol>
      )}
      <datalist id={list}>{tools.map((t) => <option key={t.name} value={t.name} />)}</datalist>
      <label class="stack tight">
        <span class="field-name">Server name</span>
        <input class="input" aria-label="Server name" placeholder={defaultName(link)} value={as} spellcheck={false} onInput={(e) => set({ as: e.currentTarget.value })} />
        <span class="small muted">In the config of the host. Searches use it.</span>
      </label>
    </div>
  );
}
