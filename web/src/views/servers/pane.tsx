// One server: its definition, its approval, and its connections.
import { useSignal } from "@preact/signals";
import type { Server } from "../../api.gen";
import { path, remove } from "../../api/client";
import { Icon } from "../../components/icon";
import { Notice } from "../../components/notice";
import { showError } from "../../components/toasts";
import { openConnection, hello, loadServers } from "../../state/links";
import { go } from "../../state/route";
import { ApprovalCard } from "./approval";
import { Connection } from "./connection";
import { sourceOf, titleOf, type Entry } from "./entries";
import { chosenFor, linkOf, Options } from "./options";
import { ProblemCard } from "./problem";
import { ValuesCard } from "./values";

export function ServerPane({ entry }: { entry: Entry }) {
  const s = entry.server;
  const protocol = useSignal("");
  const lacks = (s?.missing?.length ?? 0) > 0;
  const waits = s?.approval && !s.approval.approved;
  const fresh = entry.links.every((l) => l.state === "failed");
  const choices = useSignal(chosenFor(entry.id));
  const open = (server: Server) => openConnection(server, { protocol: protocol.value || undefined, ...linkOf(choices.value) });
  return (
    <section class="pane" aria-label="Server">
      <div class="pane-head">
        <button type="button" class="button quiet icon back" aria-label="Back to the list" onClick={() => go("servers")}><Icon name="back" /></button>
        <h1 class="cut grow" title={entry.name}>{titleOf(entry)}</h1>
        {s?.source === "page" && <button type="button" class="button quiet icon" aria-label="Remove this server" title="Remove this server" onClick={() => void remove(path("servers", s.id)).then(loadServers).then(() => go("servers"), showError)}><Icon name="trash" /></button>}
        {s && !waits && !lacks && !s.problem && (
          <>
            <label class="protocol"><span class="hidden-label">Protocol</span>
              <select class="input" value={protocol.value} onChange={(e) => (protocol.value = e.currentTarget.value)}>
                <option value="">newest protocol</option>
                {(hello.value?.revisions ?? []).map((r) => <option key={r} value={r}>{r}</option>)}
              </select>
            </label>
            <button type="button" class={"button" + (fresh ? " primary" : "")} data-testid="connect" onClick={() => void open(s).catch(showError)}><Icon name="power" /> {fresh ? "Connect" : "Connect another"}</button>
          </>
        )}
      </div>
      <div class="scroll grow pane-body sections" tabIndex={0} role="region" aria-label={"About " + entry.name}>
        {s?.problem && <ProblemCard problem={s.problem}><div><button type="button" class="button slim" onClick={() => void loadServers().catch(showError)}><Icon name="reload" /> Refresh</button></div></ProblemCard>}
        {s && lacks && !s.problem && <ValuesCard server={s} onGiven={(next) => { if (!next.approval || next.approval.approved) void open(next).catch(showError); }} />}
        {s && waits && !lacks && !s.problem && <ApprovalCard server={s} approval={s.approval!} onApproved={(next) => void open(next).catch(showError)} />}
        {entry.links.map((l) => <Connection key={l.id} link={l} />)}
        {s && !waits && !lacks && !s.problem && <Options server={s} choices={choices.value} onChange={(next) => (choices.value = next)} />}
        {s && <About server={s} />}
      </div>
    </section>
  );
}

function About({ server: s }: { server: Server }) {
  return (
    <section class="section" aria-label="Definition">
      <h2>Definition</h2>
      <dl class="facts">
        <dt>Source</dt><dd>{sourceOf(s)}{s.source === "page" && (s.unkept ? `, not saved: ${s.unkept}` : "; saved without secrets")}</dd>
        {s.file && <><dt>File</dt><dd class="mono break">{s.file}{s.line ? `:${s.line}` : ""}</dd></>}
        {s.command && s.command.length > 0 && <><dt>Command</dt><dd><Words words={s.command} /></dd></>}
        {s.cwd && <><dt>Folder</dt><dd class="mono break">{s.cwd}</dd></>}
        {s.url && <><dt>URL</dt><dd class="mono break">{s.url}</dd></>}
        {s.type && <><dt>Transport</dt><dd>{s.type}</dd></>}
        {s.env && s.env.length > 0 && <><dt>Environment</dt><dd><Words words={s.env} /></dd></>}
        {s.headers && s.headers.length > 0 && <><dt>Headers</dt><dd><Words words={s.headers} /></dd></>}
      </dl>
      {s.notes?.map((n) => <Notice tone="warn">{n}</Notice>)}
    </section>
  );
}

/** Words shows strings separately, so that spaces inside them are visible. */
export function Words({ words }: { words: string[] }) {
  return <span class="words">{words.map((w) => <code>{w === "" ? "″″" : w}</code>)}</span>;
}
