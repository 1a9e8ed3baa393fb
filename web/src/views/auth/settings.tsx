// The client settings for an authorization server. All of them are optional.
import type { NewSignIn } from "../../api.gen";

interface Props {
  typed: Partial<NewSignIn>;
  secret: string;
  insecure: boolean;
  change: (part: Partial<NewSignIn>) => void;
  onSecret: (text: string) => void;
  onInsecure: (on: boolean) => void;
}

export function Settings({ typed, secret, insecure, change, onSecret, onInsecure }: Props) {
  return (
    <details class="stack">
      <summary class="muted">Client, scopes and other settings</summary>
      <div class="settings-grid">
        <Field label="Client ID" doc="Of a registered client; without one, mcptest registers itself." value={typed.client_id ?? ""} onInput={(v) => change({ client_id: v || undefined })} />
        <Field label="Client secret" doc="Not stored." secret value={secret} onInput={onSecret} />
        <Field label="Client ID metadata document" doc="An https URL, if the server supports it." value={typed.client_document ?? ""} onInput={(v) => change({ client_document: v || undefined })} />
        <Field label="Scopes" doc="Replace the server's default scopes; separated by spaces." value={(typed.scopes ?? []).join(" ")} onInput={(v) => change({ scopes: v.trim() === "" ? undefined : v.split(/\s+/) })} />
        <Field label="Issuer" doc="The authorization server, if there are several." value={typed.issuer ?? ""} onInput={(v) => change({ issuer: v || undefined })} />
      </div>
      <div class="row wrap">
        <Flag label="Client credentials grant (no user)" on={typed.client_credentials} onChange={(on) => change({ client_credentials: on || undefined })} />
        <Flag label="Allow private addresses in metadata" on={typed.allow_private} onChange={(on) => change({ allow_private: on || undefined })} />
        <Flag label="Accept any server certificate (for local tests)" on={insecure} onChange={onInsecure} />
        <Flag label="Do not store the token" on={typed.no_store} onChange={(on) => change({ no_store: on || undefined })} />
      </div>
    </details>
  );
}

function Field({ label, doc, value, onInput, secret }: { label: string; doc: string; value: string; onInput: (value: string) => void; secret?: boolean }) {
  return (
    <label class="stack tight">
      <span class="field-name">{label}</span>
      {secret
        ? <input class="input mono" type="password" autocomplete="off" aria-label={label} value={value} onInput={(e) => onInput(e.currentTarget.value)} />
        : <input class="input mono" type="text" autocomplete="off" aria-label={label} value={value} spellcheck={false} onInput={(e) => onInput(e.currentTarget.value)} />}
      <span class="small muted">{doc}</span>
    </label>
  );
}

function Flag({ label, on, onChange }: { label: string; on?: boolean; onChange: (on: boolean) => void }) {
  return <label class="row flag-line"><input type="checkbox" checked={on ?? false} onChange={(e) => onChange(e.currentTarget.checked)} /><span>{label}</span></label>;
}
