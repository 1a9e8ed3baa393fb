// Values that were not saved in an earlier run, because they may be secrets: the user enters them again.
import { useSignal } from "@preact/signals";
import type { NewValues, Server } from "../../api.gen";
import { path, post } from "../../api/client";
import { Icon } from "../../components/icon";
import { showError } from "../../components/toasts";
import { loadServers } from "../../state/links";

export function ValuesCard({ server, onGiven }: { server: Server; onGiven: (next: Server) => void }) {
  const values = useSignal<Record<string, string>>({});
  const missing = server.missing ?? [];
  const submit = async (e: Event) => {
    e.preventDefault();
    const pairs = (separator: string) => missing.map((name) => name + separator + (values.value[name] ?? ""));
    const input: NewValues = server.kind === "url" ? { header: pairs(": ") } : { env: pairs("=") };
    const next = await post<Server>(path("servers", server.id, "values"), input);
    await loadServers();
    onGiven(next);
  };
  return (
    <form class="card approval" aria-label="Values" onSubmit={(e) => void submit(e).catch(showError)}>
      <h2><Icon name="auth" /> {missing.length === 1 ? "Value" : "Values"} required</h2>
      <p class="muted">Secrets are not saved to disk. Enter them again after each restart.</p>
      {missing.map((name) => (
        <label key={name} class="form-row">
          <span class="mono cut" title={name}>{name}</span>
          <input class="input mono" type="password" name={name} autocomplete="off" value={values.value[name] ?? ""} onInput={(e) => (values.value = { ...values.value, [name]: e.currentTarget.value })} />
        </label>
      ))}
      <div class="row"><button class="button primary" data-testid="give">{server.approval && !server.approval.approved ? "Continue" : "Use and connect"}</button></div>
    </form>
  );
}
