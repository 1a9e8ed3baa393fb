// Import and export of servers as mcp.json.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Imported, Text } from "../../api.gen";
import { get, post } from "../../api/client";
import { Dialog } from "../../components/dialog";
import { Notice } from "../../components/notice";
import { plural } from "../../components/size";
import { showError, copy } from "../../components/toasts";
import { loadServers } from "../../state/links";

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const text = useSignal("");
  const done = useSignal<Imported | null>(null);
  const run = async () => {
    done.value = await post<Imported>("/servers/import", { text: text.value });
    await loadServers();
  };
  const read = (input: HTMLInputElement) => {
    const file = input.files?.[0];
    if (file) void file.text().then((t) => (text.value = t));
  };
  return (
    <Dialog title="Import servers" onClose={onClose} foot={<button type="button" class="button primary" disabled={text.value.trim() === ""} onClick={() => void run().catch(showError)}>Import</button>}>
      <div class="stack">
        <p class="muted">Paste an mcp.json, or the config file of an editor or assistant. Nothing is started.</p>
        <textarea class="input mono" rows={10} aria-label="Config" spellcheck={false} value={text.value} onInput={(e) => (text.value = e.currentTarget.value)} />
        <label class="row"><span class="muted">or a file</span><input type="file" accept=".json,.jsonc,.toml,.yaml,.yml" onChange={(e) => read(e.currentTarget)} /></label>
        {done.value && <Notice role="status">{plural(done.value.added.length, "server")} added{done.value.added.length > 0 && ": " + done.value.added.map((s) => s.name).join(", ")}</Notice>}
        {done.value?.problems.map((p) => <Notice tone="warn">{p}</Notice>)}
      </div>
    </Dialog>
  );
}

export function ExportDialog({ onClose }: { onClose: () => void }) {
  const text = useSignal("");
  useEffect(() => {
    get<Text>("/servers/export").then((t) => (text.value = t.text), showError);
  }, []);
  const save = () => {
    const url = URL.createObjectURL(new Blob([text.value], { type: "application/json" }));
    const a = document.createElement("a");
    a.href = url;
    a.download = "mcp.json";
    a.click();
    URL.revokeObjectURL(url);
  };
  return (
    <Dialog title="Export servers" onClose={onClose} foot={<><button type="button" class="button" onClick={() => void copy(text.value)}>Copy</button><button type="button" class="button primary" onClick={save}>Save mcp.json</button></>}>
      <div class="stack">
        <p class="muted">Servers added on this page. Secrets are replaced by placeholders.</p>
        <pre class="export">{text.value}</pre>
      </div>
    </Dialog>
  );
}
