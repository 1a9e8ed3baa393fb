// Connection options. They are stored in this browser, except the option to accept any certificate.
import type { NewLink, Server } from "../../api.gen";
import { hello } from "../../state/links";
import { store, stored } from "../../state/persist";

/** Choices are the selected options; the timeout as typed. */
export interface Choices {
  level?: string;
  timeout?: string;
  insecure?: boolean;
}

const key = (server: string) => "connect:" + server;

/** chosenFor returns the saved options of a server. */
export function chosenFor(server: string): Choices {
  return stored<Choices>(key(server), {});
}

/** linkOf converts the options for a connection. */
export function linkOf(c: Choices): Partial<NewLink> {
  const seconds = Number(c.timeout);
  return { log_level: c.level || undefined, insecure: c.insecure || undefined, timeout_ms: seconds > 0 ? Math.ceil(seconds * 1000) : undefined };
}

export function Options({ server, choices, onChange }: { server: Server; choices: Choices; onChange: (next: Choices) => void }) {
  const change = (part: Choices) => {
    const next = { ...choices, ...part };
    store(key(server.id), { ...next, insecure: undefined });
    onChange(next);
  };
  const wrong = Boolean(choices.timeout) && !(Number(choices.timeout) > 0);
  return (
    <details class="fold">
      <summary>Connection options</summary>
      <div class="settings-grid">
        <label class="stack tight">
          <span class="field-name">Log messages</span>
          <select class="input" aria-label="Requested log level" value={choices.level ?? ""} onChange={(e) => change({ level: e.currentTarget.value })}>
            <option value="">off</option>
            {(hello.value?.log_levels ?? []).map((l) => <option key={l} value={l}>{l} and above</option>)}
          </select>
          <span class="small muted">Shown below the connection.</span>
        </label>
        <label class="stack tight">
          <span class="field-name">Timeout in seconds</span>
          <input class="input" type="text" inputMode="decimal" autocomplete="off" placeholder="60" aria-label="Timeout in seconds" aria-invalid={wrong || undefined}
            value={choices.timeout ?? ""} onInput={(e) => change({ timeout: e.currentTarget.value })} />
          <span class={"small " + (wrong ? "bad" : "muted")}>{wrong ? "Not a number of seconds; 60 is used." : "Request timeout without progress."}</span>
        </label>
      </div>
      {server.kind === "url" && (
        <label class="row flag-line"><input type="checkbox" checked={choices.insecure ?? false} onChange={(e) => change({ insecure: e.currentTarget.checked })} /><span>Accept any certificate (for local tests)</span></label>
      )}
    </details>
  );
}
