// The current credentials for one server, and the authorization flow.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { NewSignIn, Server, Token } from "../../api.gen";
import { Icon } from "../../components/icon";
import { Notice } from "../../components/notice";
import { showError } from "../../components/toasts";
import { openConnection, links, reconnect } from "../../state/links";
import { store, stored } from "../../state/persist";
import { go, href } from "../../state/route";
import { Funnel } from "./steps";
import { Settings } from "./settings";
import { begin, cancel, deleteToken, signIns, tokenOf } from "./signins";

export function Access({ server }: { server: Server }) {
  const token = useSignal<Token | null>(null);
  const key = "auth:" + server.id;
  const typed = useSignal(stored<Partial<NewSignIn>>(key, {}));
  const secret = useSignal(""); // never stored
  const insecure = useSignal(false); // not stored either
  const latest = signIns.value.findLast((s) => s.server === server.id);
  const running = latest?.state === "running" || latest?.state === "waiting";
  useEffect(() => void tokenOf(server.id).then((t) => (token.value = t), showError), [server.id, latest?.state]);
  const start = () => void begin({ ...typed.value, client_secret: secret.value || undefined, insecure: insecure.value || undefined, server: server.id }).catch(showError);
  const attempt = (what: string) => void begin({ ...typed.value, client_secret: secret.value || undefined, insecure: insecure.value || undefined, server: server.id, try: [what] }).catch(showError);
  const change = (part: Partial<NewSignIn>) => {
    typed.value = { ...typed.value, ...part };
    store(key, typed.value);
  };
  const drop = () => void deleteToken(server.id).then(() => (token.value = null), showError);
  return (
    <section class="pane" aria-label="Access">
      <div class="pane-head">
        <button type="button" class="button quiet slim icon back" aria-label="Back to the list" onClick={() => go("auth")}><Icon name="back" /></button>
        <h2 class="cut grow">{server.name}</h2>
        {running
          ? <button type="button" class="button" onClick={() => void cancel(latest!).catch(showError)}><Icon name="stop" />Stop</button>
          : <button type="button" class="button primary" onClick={start}><Icon name="auth" />{token.value ? "Get a new token" : "Get a token"}</button>}
      </div>
      <div class="pane-body scroll" tabIndex={0} role="region" aria-label="Access to the server">
        <div class="column narrow">
          <section class="stack" aria-label="Current credentials">
            <h2>Current credentials</h2>
            <dl class="frame-facts">
              <dt>URL</dt><dd class="mono">{server.url}</dd>
              <dt>Headers</dt><dd>{server.headers?.length ? server.headers.map((h) => <code key={h} class="header-name">{h}</code>) : "none"} <a href={href("servers", server.id)}>change in Servers</a></dd>
              <dt>Token</dt><dd><TokenFacts token={token.value} onForget={drop} /></dd>
            </dl>
          </section>
          <Settings typed={typed.value} secret={secret.value} insecure={insecure.value} change={change} onSecret={(text) => (secret.value = text)} onInsecure={(on) => (insecure.value = on)} />
          <section class="stack" aria-label="Authorization steps">
            <div class="section-head"><h2 class="grow">Authorization steps</h2>{latest && <span class={"badge " + (tones[latest.state] ?? "")} role="status" data-signin={latest.state}>{latest.state}</span>}</div>
            {latest?.problem && <Notice tone="bad" role="alert"><p>{latest.problem.message}</p>{latest.problem.hint && <p class="small muted">{latest.problem.hint}</p>}</Notice>}
            <Funnel steps={latest?.steps ?? []} running={running} />
            {token.value && !running && <Attempts scoped={(typed.value.scopes ?? []).length > 0} onTry={attempt} />}
            {latest?.state === "done" && latest.stored && <Connect server={server} insecure={insecure.value} />}
            {latest?.state === "done" && <Notice>{latest.token ? (latest.stored ? "Token stored. Connections to this server use it from now on." : "Token not stored.") : "The server does not require a token."}</Notice>}
          </section>
        </div>
      </div>
    </section>
  );
}

// Connect opens the connection with the token: the rejected one, or a new one if that one verifies the certificate.
function Connect({ server, insecure }: { server: Server; insecure: boolean }) {
  const refused = links.value.find((l) => l.server === server.id && l.state !== "open");
  if (!refused && links.value.some((l) => l.server === server.id)) return null;
  const open = () => (refused && (refused.insecure || !insecure) ? reconnect(refused) : openConnection(server, { insecure: insecure || undefined })).catch(showError);
  return <div><button type="button" class="button primary" onClick={() => void open()}><Icon name="servers" />Connect with token</button></div>;
}

// Attempts are buttons for what happens to a token later.
function Attempts({ scoped, onTry }: { scoped: boolean; onTry: (what: string) => void }) {
  return (
    <div class="row wrap" role="group" aria-label="Try with the token">
      <button type="button" class="button slim" onClick={() => onTry("refresh")}>Try a refresh</button>
      <button type="button" class="button slim" onClick={() => onTry("expiry")}>Try an expired token</button>
      <button type="button" class="button slim" disabled={!scoped} title={scoped ? "" : "Enter the scopes to start with in the settings above"} onClick={() => onTry("step-up")}>Try more scopes</button>
    </div>
  );
}

const tones: Record<string, string> = { done: "good", failed: "bad", waiting: "warn", running: "accent" };

function TokenFacts({ token, onForget }: { token: Token | null; onForget: () => void }) {
  if (!token) return <>none stored</>;
  return (
    <span class="stack tight">
      <span>of <code>{token.issuer}</code>{token.scopes.length > 0 && <> for <code>{token.scopes.join(" ")}</code></>}</span>
      <span class="row wrap">
        {token.expired ? <span class="badge bad">expired</span> : token.expires && <span class="muted">until {new Date(token.expires).toLocaleString()}</span>}
        {token.renewable && <span class="badge good">refreshed automatically</span>}
        <button type="button" class="button slim danger" onClick={onForget}>Delete token</button>
      </span>
    </span>
  );
}
