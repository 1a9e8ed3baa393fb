// The rank of the expected tool for each query in each search.
import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import type { Link } from "../../api.gen";
import { Filter, matches } from "../../components/filter";
import { Icon } from "../../components/icon";
import { misses, type Engine, type Found, type Query } from "./result";
import { ToolLink } from "./toollink";

const pageSize = 100; // rows that are added at a time

export function Ranks({ link, found }: { link: Link; found: Found }) {
  const filter = useSignal("");
  const missed = useSignal(false);
  const most = useSignal(pageSize);
  const { engines } = found;
  const all = found.queries.filter((q) => engines.some((e) => misses(q, e)));
  const shown = (missed.value ? all : found.queries).filter((q) => matches(filter.value, [q.query, ...(q.tools ?? [])].join(" ")));
  return (
    <section class="stack" aria-label="Ranks">
      <div class="row wrap">
        <h2 class="grow">{found.queries.some((q) => q.ranks) ? "Ranks" : "First tools"}</h2>
        {all.length > 0 && (
          <div class="tally" role="group" aria-label="Rows">
            <button type="button" aria-pressed={!missed.value} onClick={() => (missed.value = false)}>all <span class="n">{found.queries.length}</span></button>
            <button type="button" aria-pressed={missed.value} onClick={() => (missed.value = true)}>misses <span class="n">{all.length}</span></button>
          </div>
        )}
        {found.queries.length > 10 && <div class="find-filter"><Filter label="Filter queries" value={filter.value} onInput={(v) => (filter.value = v)} /></div>}
      </div>
      <div class="card wide-table" tabIndex={0} role="group" aria-label="Table of queries">
        <table class="table find-table" data-shown={shown.length}>
          <thead><tr><th scope="col">Query</th>{engines.map((e) => <th key={e.id} scope="col">{e.name}</th>)}</tr></thead>
          <tbody>{shown.slice(0, most.value).map((q, i) => <Row key={i + q.query} link={link} query={q} engines={engines} />)}</tbody>
        </table>
      </div>
      {shown.length > most.value && <div><button type="button" class="button slim" onClick={() => (most.value += pageSize)}>Show {Math.min(pageSize, shown.length - most.value)} more of {shown.length}</button></div>}
      {found.queries.some((q) => q.ranks) && <p class="small muted">A rank in parentheses is beyond the number of tools that the search returns. – means not found.</p>}
    </section>
  );
}

function Row({ link, query: q, engines }: { link: Link; query: Query; engines: Engine[] }) {
  const open = useSignal(false);
  return (
    <Fragment>
      <tr data-query={q.query}>
        <th scope="row">
          <button type="button" class="find-toggle" aria-expanded={open.value} onClick={() => (open.value = !open.value)}>
            <Icon name="caret" class={open.value ? "turned" : ""} /><span class="break">{q.query}</span>
          </button>
        </th>
        {engines.map((e) => <td key={e.id} data-engine={e.id}><Rank query={q} engine={e} /></td>)}
      </tr>
      {open.value && (
        <tr>
          <td colSpan={1 + engines.length}>
            <div class="find-tops">
              {q.tools && q.tools.length > 0 && <p class="small">Expected: {q.tools.map((t, i) => <Fragment key={t}>{i > 0 && ", "}<ToolLink link={link} name={t} /></Fragment>)}</p>}
              {engines.map((e) => (
                <div key={e.id} class="stack tight small">
                  <h3>{e.name}</h3>
                  {q.top[e.id]?.length ? <ol class="find-top">{q.top[e.id]!.map((t) => <li key={t}><ToolLink link={link} name={t} strong={q.tools?.includes(t)} /></li>)}</ol> : <p class="muted">No tool found</p>}
                </div>
              ))}
            </div>
          </td>
        </tr>
      )}
    </Fragment>
  );
}

// Rank is the rank of the expected tool, or the first tool if none is expected.
function Rank({ query: q, engine: e }: { query: Query; engine: Engine }) {
  const rank = q.ranks?.[e.id];
  const first = q.top[e.id]?.[0];
  if (rank === undefined) return first === undefined ? <span class="small muted">No tool found</span> : <span class="mono small break">{first}</span>;
  if (rank === 0) return <span class="badge bad" aria-label="not found">–</span>;
  return rank > e.limit ? <span class="badge warn tabular" aria-label={`rank ${rank}, beyond the limit`}>({rank})</span> : <span class="badge good tabular">{rank}</span>;
}
