// Calls that the person gave a name, to make them again. They stay in this browser, by server and tool.
import { useSignal } from "@preact/signals";
import { Dialog } from "../../components/dialog";
import { Icon } from "../../components/icon";
import { Menu } from "../../components/menu";
import { complain, toast } from "../../components/toasts";
import { useCommands } from "../../state/commands";
import { store, stored } from "../../state/persist";
import type { Draft, Workspace } from "./workspace";

interface Saved {
  name: string;
  draft: Draft;
}

export function SavedMenu({ workspace }: { workspace: Workspace }) {
  const key = `saved:${workspace.entry}:${workspace.tool}`;
  const saved = useSignal<Saved[]>(stored(key, []));
  const naming = useSignal(false);
  const keep = (next: Saved[]) => {
    saved.value = next;
    store(key, next);
  };
  const use = (s: Saved) => void workspace.use(s.draft).catch(complain);
  useCommands(() => saved.value.map((s) => ({ title: s.name, where: "Saved call of " + workspace.tool, icon: "star", run: () => use(s) })));
  return (
    <>
      <Menu label="Saved calls" icon="star" text={saved.value.length > 0 ? String(saved.value.length) : undefined} actions={[
        { label: "Save these arguments …", icon: "plus", run: () => (naming.value = true) },
        ...saved.value.map((s) => ({ label: s.name, icon: "star" as const, run: () => use(s) })),
        ...(saved.value.length > 0 ? [{ label: "Forget all of this tool", icon: "trash" as const, run: () => keep([]) }] : []),
      ]} />
      {naming.value && <Naming onClose={() => (naming.value = false)} onName={(name) => {
        keep([...saved.value.filter((s) => s.name !== name), { name, draft: workspace.draft.value }]);
        toast("Saved as " + name);
      }} />}
    </>
  );
}

function Naming({ onName, onClose }: { onName: (name: string) => void; onClose: () => void }) {
  const name = useSignal("");
  const submit = (e: Event) => {
    e.preventDefault();
    if (name.value.trim() === "") return;
    onName(name.value.trim());
    onClose();
  };
  return (
    <Dialog title="Save these arguments" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <label class="stack"><span>Name</span><input class="input" value={name.value} onInput={(e) => (name.value = e.currentTarget.value)} /></label>
        <div class="row"><span class="grow" /><button class="button primary" disabled={name.value.trim() === ""}><Icon name="star" /> Save</button></div>
      </form>
    </Dialog>
  );
}
