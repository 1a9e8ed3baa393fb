// Saved calls with a name. They are stored in this browser, by server and tool.
import { useSignal } from "@preact/signals";
import { Dialog } from "../../components/dialog";
import { Icon } from "../../components/icon";
import { Menu } from "../../components/menu";
import { showError, toast } from "../../components/toasts";
import { useCommands } from "../../state/commands";
import { savedOf, storeSaved, type Saved } from "./savedcalls";
import type { Workspace } from "./workspace";

export function SavedMenu({ workspace, onRun }: { workspace: Workspace; onRun: (anyway: boolean) => Promise<void> }) {
  const saved = useSignal<Saved[]>(savedOf(workspace.entry, workspace.tool));
  const open = useSignal<"" | "naming" | "all">("");
  const keep = (next: Saved[]) => {
    saved.value = next;
    storeSaved(workspace.entry, workspace.tool, next);
  };
  const close = () => (open.value = "");
  const use = (s: Saved) => void workspace.use(s.draft).catch(showError);
  const run = (s: Saved) => void workspace.use(s.draft).then(() => onRun(false)).catch(showError);
  const save = (name: string) => {
    keep([...saved.value.filter((s) => s.name !== name), { name, draft: workspace.draft.value, sends: workspace.exam.value?.arguments_json }]);
    toast("Saved as " + name);
  };
  useCommands(() => saved.value.map((s) => ({ title: s.name, where: "Saved call of " + workspace.tool, icon: "star", run: () => use(s) })));
  return (
    <>
      <Menu label="Saved calls" icon="star" text={saved.value.length > 0 ? String(saved.value.length) : undefined} actions={[
        { label: "Save arguments …", icon: "plus", run: () => (open.value = "naming") },
        ...saved.value.map((s) => ({ label: s.name, icon: "star" as const, run: () => use(s) })),
        ...(saved.value.length > 0 ? [{ label: "Manage saved calls…", icon: "more" as const, run: () => (open.value = "all") }] : []),
      ]} />
      {open.value === "naming" && <SaveDialog onClose={close} onName={save} />}
      {open.value === "all" && saved.value.length > 0 && (
        <Dialog title={"Saved calls of " + workspace.tool} onClose={close}>
          <ul class="saved" aria-label="Saved calls">
            {saved.value.map((s) => <One key={s.name} saved={s} taken={(name) => saved.value.some((o) => o.name === name)}
              onRun={() => { close(); run(s); }} onUse={() => { close(); use(s); }}
              onRename={(name) => keep(saved.value.map((o) => (o === s ? { ...s, name } : o)))} onForget={() => keep(saved.value.filter((o) => o !== s))} />)}
          </ul>
        </Dialog>
      )}
    </>
  );
}

interface OneProps {
  saved: Saved;
  taken: (name: string) => boolean;
  onRun: () => void;
  onUse: () => void;
  onRename: (name: string) => void;
  onForget: () => void;
}

// One saved call. Its name can be edited in place; an empty or duplicate name is reset.
function One({ saved: s, taken, onRun, onUse, onRename, onForget }: OneProps) {
  const rename = (box: HTMLInputElement) => {
    const name = box.value.trim();
    if (name === "" || taken(name)) box.value = s.name;
    else onRename(name);
  };
  return (
    <li>
      <div class="stack tight grow">
        <input class="input bare" aria-label={"Name of " + s.name} value={s.name} onChange={(e) => rename(e.currentTarget)} onKeyDown={(e) => e.key === "Enter" && e.currentTarget.blur()} />
        {s.sends && <code class="cut small muted" title={s.sends}>{s.sends}</code>}
      </div>
      <button type="button" class="button slim" onClick={onUse}>Fill in</button>
      <button type="button" class="button slim" aria-label={"Run " + s.name} onClick={onRun}><Icon name="play" /> Run</button>
      <button type="button" class="button quiet icon slim" aria-label={"Delete " + s.name} title="Delete" onClick={onForget}><Icon name="trash" /></button>
    </li>
  );
}

function SaveDialog({ onName, onClose }: { onName: (name: string) => void; onClose: () => void }) {
  const name = useSignal("");
  const submit = (e: Event) => {
    e.preventDefault();
    if (name.value.trim() === "") return;
    onName(name.value.trim());
    onClose();
  };
  return (
    <Dialog title="Save arguments" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <label class="stack"><span>Name</span><input class="input" value={name.value} onInput={(e) => (name.value = e.currentTarget.value)} /></label>
        <div class="row"><span class="grow" /><button class="button primary" disabled={name.value.trim() === ""}><Icon name="star" /> Save</button></div>
      </form>
    </Dialog>
  );
}
