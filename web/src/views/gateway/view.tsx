// A running gateway: its servers, call statistics and catalog.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Empty } from "../../components/empty";
import { Filter } from "../../components/filter";
import { Icon } from "../../components/icon";
import { Notice } from "../../components/notice";
import { clock, duration } from "../../components/size";
import { address, approve, follow, fetchStatus, problem, query, rates, status, token, type Quarantined, type ServerStatus, type Status } from "./status";

export function GatewayView() {
  const watching = useSignal(status.value !== null);
  useEffect(() => (watching.value ? follow(() => (watching.value = false)) : undefined), [watching.value]);
  const now = status.value;
  return (
    <>
      <div class="page-head"><h1>Gateway</h1>{now && <span class="muted cut">{address.value}</span>}<span class="grow" />
        {now && <span class="small muted tabular" role="status">{watching.value ? "as of " + clock(now.time) : "stopped"}</span>}
      </div>
      <div class="page-body scroll page-scroll" tabIndex={0} role="region" aria-label="Gateway">
        <div class="column wide">
          <GatewayForm watching={watching.value} onWatch={(on) => (watching.value = on)} />
          {problem.value && (watching.value || !now) && (
            <Notice tone="bad" role="alert"><p>{problem.value.message}</p>{problem.value.hint && <p class="small muted">{problem.value.hint}</p>}</Notice>
          )}
          {now ? <GatewayStatus now={now} /> : !problem.value && (
            <div class="card calm"><Empty icon="gateway" title="No gateway connected">
              <p>Start one with <code>mcptest gateway --config mcp.json --listen :8080</code>, and enter its URL and the token that it printed.</p>
            </Empty></div>
          )}
        </div>
      </div>
    </>
  );
}

function GatewayForm({ watching, onWatch }: { watching: boolean; onWatch: (on: boolean) => void }) {
  return (
    <form class="card padded row wrap where" onSubmit={(e) => { e.preventDefault(); onWatch(!watching); }}>
      <label class="stack tight grow"><span class="small muted">URL</span>
        <input class="input mono" aria-label="Gateway URL" value={address.value} disabled={watching} spellcheck={false} onInput={(e) => (address.value = e.currentTarget.value)} /></label>
      <label class="stack tight grow"><span class="small muted">Token</span>
        <input class="input mono" type="password" autocomplete="off" aria-label="Gateway token" value={token.value} disabled={watching} onInput={(e) => (token.value = e.currentTarget.value)} /></label>
      <button type="submit" class={"button" + (watching ? "" : " primary")}><Icon name={watching ? "stop" : "play"} />{watching ? "Stop" : "Watch"}</button>
    </form>
  );
}

function GatewayStatus({ now }: { now: Status }) {
  const ready = now.servers.filter((s) => s.state === "ready").length;
  return (
    <>
      <div class="figures">
        <div class="card figure"><span class="what">Servers ready</span><span class="n">{ready}<span class="faint"> of {now.servers.length}</span></span></div>
        <div class="card figure"><span class="what">Calls per second</span><span class="n">{rate(now.calls.per_second)}</span><Spark points={rates.value} /></div>
        <div class="card figure"><span class="what">Total calls</span><span class="n">{now.calls.total.toLocaleString("en")}</span></div>
        <div class="card figure"><span class="what">Sessions</span><span class="n">{now.sessions}</span></div>
        <div class="card figure"><span class="what">Tools</span><span class="n">{now.tool_count.toLocaleString("en")}</span></div>
      </div>
      <section aria-label="Servers">
        <div class="section-head"><h2>Servers</h2></div>
        <div class="card wide-table" tabIndex={0} role="group" aria-label="Table of servers">
          <table class="table">
            <thead><tr><th scope="col">Server</th><th scope="col">State</th><th scope="col">Version</th><th scope="col" class="num">Tools</th><th scope="col" class="num">Calls/s</th><th scope="col" class="num">Calls</th><th scope="col" class="num">Failed</th><th scope="col" class="num">In flight</th><th scope="col" class="num">p50</th><th scope="col" class="num">p99</th></tr></thead>
            <tbody>{now.servers.map((s) => <ServerRow key={s.name} server={s} />)}</tbody>
          </table>
        </div>
      </section>
      {now.quarantined && now.quarantined.length > 0 && <Quarantine items={now.quarantined} count={now.quarantined_count ?? 0} />}
      <Catalog now={now} />
    </>
  );
}

/** Quarantine shows the definitions that wait for an approval, how they differ, and asks. */
function Quarantine({ items, count }: { items: readonly Quarantined[]; count: number }) {
  return (
    <section aria-label="Quarantine">
      <div class="section-head"><h2>Quarantine</h2><span class="badge bad">{count}</span></div>
      {items.map((item) => <QuarantinedItem key={`${item.server}/${item.kind}/${item.name}@${item.hash}`} item={item} />)}
      {count > items.length && <p class="small muted">{count - items.length} more: run <code>mcptest catalog approve</code></p>}
    </section>
  );
}

function QuarantinedItem({ item }: { item: Quarantined }) {
  const asked = useSignal(false);
  const name = `${item.server}/${item.name}`;
  return (
    <div class="card padded stack tight" data-quarantined={name}>
      <div class="row wrap"><strong class="mono break">{name}</strong><span class="badge">{item.kind}</span><span class="badge bad">{item.reason}</span>
        {item.verdict && item.reason === "changed" && <span class="badge warn">{item.verdict}</span>}<span class="grow" />
        {asked.value
          ? <><span class="small">Release exactly this definition to all callers?</span>
              <button type="button" class="button primary" onClick={() => { asked.value = false; void approve(item); }}>Approve</button>
              <button type="button" class="button" onClick={() => (asked.value = false)}>Cancel</button></>
          : item.reason !== "duplicate" && <button type="button" class="button" aria-label={`Approve… ${name}`} onClick={() => (asked.value = true)}>Approve…</button>}
      </div>
      {item.was && <p class="small">renamed from <span class="mono">{item.was}</span></p>}
      {item.suspicious?.map((s) => <p class="small bad break">{s.rule}: {s.message}</p>)}
      {item.changes?.map((c) => (
        <div class="small"><p class="break">{c.message}</p>
          {c.old && <pre class="mono break">- {c.old}</pre>}
          {c.new && <pre class="mono break">+ {c.new}</pre>}</div>
      ))}
      <p class="small muted mono break">{item.hash}</p>
    </div>
  );
}

const tones: Record<string, string> = { ready: "good", starting: "note", degraded: "warn", unauthorized: "bad", down: "bad" };

function ServerRow({ server: s }: { server: ServerStatus }) {
  return (
    <tr>
      <th scope="row" class="mono server-name">{s.name}</th>
      <td><span class={"badge " + (tones[s.state] ?? "")}>{s.state}</span>{s.error && <div class="small bad break">{s.error}</div>}</td>
      <td class="mono small">{s.revision ?? ""}</td>
      <td class="num">{s.tools}</td>
      <td class="num">{rate(s.calls.per_second)}</td>
      <td class="num">{s.calls.total.toLocaleString("en")}</td>
      <td class={"num" + (s.calls.errors > 0 ? " bad" : "")}>{s.calls.errors}</td>
      <td class="num">{s.in_flight}{s.waiting > 0 ? ` + ${s.waiting}` : ""}</td>
      <td class="num">{latency(s.calls.p50_ms)}</td>
      <td class="num">{latency(s.calls.p99_ms)}</td>
    </tr>
  );
}

function Catalog({ now }: { now: Status }) {
  const search = (text: string) => {
    query.value = text;
    void fetchStatus();
  };
  return (
    <section aria-label="Catalog">
      <div class="section-head"><h2>Catalog</h2><span class="grow" /><div class="catalog-search"><Filter label="Search the catalog" value={query.value} onInput={search} count={String(now.tool_count)} /></div></div>
      <div class="card wide-table" tabIndex={0} role="group" aria-label="Table of tools" data-found={now.tools.length}>
        <table class="table catalog-table">
          <thead><tr><th scope="col">Tool</th><th scope="col">Server</th><th scope="col">Description</th></tr></thead>
          <tbody>
            {now.tools.map((t) => (
              <tr key={t.name}>
                <th scope="row" class="mono server-name">{t.tool}{t.stale && <span class="badge warn">stale</span>}{t.quarantined && <span class="badge bad">quarantined</span>}</th>
                <td class="mono small">{t.server}</td>
                <td class="muted">{t.description}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {now.tools.length === 0 && <Empty icon="search" title="No matching tools" />}
      </div>
    </section>
  );
}

function rate(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond).toLocaleString("en");
}

function latency(ms: number): string {
  return ms === 0 ? "–" : duration(ms * 1e6);
}

// Spark is a curve of the latest rates.
function Spark({ points }: { points: readonly number[] }) {
  if (points.length < 2) return <svg class="spark" aria-hidden="true" />;
  const top = Math.max(1, ...points);
  const at = (p: number, i: number) => `${((100 * i) / (points.length - 1)).toFixed(2)},${(30 - (28 * p) / top).toFixed(2)}`;
  const line = "M" + points.map(at).join("L");
  return <svg class="spark" viewBox="0 0 100 32" preserveAspectRatio="none" aria-hidden="true"><path class="under" d={line + "L100,32L0,32Z"} /><path d={line} /></svg>;
}
