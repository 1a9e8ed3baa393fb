// What is wrong with the tools for a search, and how to fix it.
import { Fragment } from "preact";
import type { Link } from "../../api.gen";
import { Icon } from "../../components/icon";
import { plural } from "../../components/size";
import { copy } from "../../components/toasts";
import { hiddenIn, type Edit, type Engine, type Found } from "./result";
import { ToolLink } from "./toollink";

const most = 30; // tools or pairs in a list

/** Engines is a card for each search: how much it returns, and what it cannot find. */
export function Engines({ link, engines }: { link: Link; engines: Engine[] }) {
  return (
    <section class="areas" aria-label="Searches">
      {engines.map((e) => (
        <article key={e.id} class="card find-card" aria-label={e.name}>
          <div class="row"><h3 class="grow">{e.name} {e.version && <span class="muted small">{e.version}</span>}</h3>{e.recall !== undefined && <span class={"badge " + (e.recall === 1 ? "good" : e.recall < 0.8 ? "bad" : "warn")}>{Math.floor(100 * e.recall)} %</span>}</div>
          <p class="small muted">{e.recall === undefined ? `Returns ${e.limit} tools by default.` : `of the expected tools are among its first ${e.limit}.`}</p>
          {e.lost && e.lost.length > 0 && <p class="small break">Not found by their own words: {e.lost.slice(0, most).map((t, i) => <Fragment key={t}>{i > 0 && ", "}<ToolLink link={link} name={t} /></Fragment>)}{e.lost.length > most && ` and ${e.lost.length - most} more`}</p>}
        </article>
      ))}
    </section>
  );
}

/** Shadows lists the pairs of which one tool hides the other. */
export function Shadows({ link, engines }: { link: Link; engines: Engine[] }) {
  const pairs = hiddenIn(engines);
  if (pairs.length === 0) return null;
  return (
    <section class="stack" aria-label="Hidden tools">
      <h2>Hidden tools</h2>
      <ul class="stack tight">
        {pairs.slice(0, most).map((p) => (
          <li key={p.tool + "\n" + p.by} class="row wrap small">
            <ToolLink link={link} name={p.tool} /><span class="muted">is missed for some of its own words;</span><ToolLink link={link} name={p.by} /><span class="muted">is first</span>
            {p.engines.map((e) => <span key={e.id} class="badge">{e.name}</span>)}
          </li>
        ))}
      </ul>
      {pairs.length > most && <p class="small muted">{pairs.length - most} more</p>}
    </section>
  );
}

/** Edits lists the words to add to descriptions. */
export function Edits({ link, found }: { link: Link; found: Found }) {
  const edits = found.edits ?? [];
  if (edits.length === 0 && !found.untried) return null;
  return (
    <section class="stack" aria-label="Suggested edits">
      <h2>Suggested edits</h2>
      <p class="small muted">Verified by searching again: each query below returns the tool, and no other query returns fewer of its tools.</p>
      {edits.map((e) => <One key={e.tool} link={link} edit={e} />)}
      {found.untried ? <p class="small muted">Edits for {plural(found.untried, "more miss", "more misses")} were not looked for. Apply these and search again, or search for your own queries.</p> : null}
    </section>
  );
}

function One({ link, edit: e }: { link: Link; edit: Edit }) {
  return (
    <article class="card find-card" aria-label={e.tool}>
      <div class="row wrap">
        <span class="grow"><ToolLink link={link} name={e.tool} strong /></span>
        <button type="button" class="button slim" onClick={() => void copy(e.description, "Description copied")}><Icon name="copy" />Copy description</button>
      </div>
      <p class="row wrap small"><span>Add to the description:</span>{e.added.map((word) => <span key={word} class="badge accent">{word}</span>)}</p>
      <details class="small"><summary class="muted">New description</summary><p class="break pre">{e.description}</p></details>
      <p class="small muted break">Found with it: {e.queries.map((q) => `“${q}”`).join(", ")}</p>
    </article>
  );
}
