// The list of keyboard shortcuts.
import { helpOpen, keys } from "../state/commands";
import { views } from "../views/registry";
import { Dialog } from "./dialog";

export function Help() {
  if (!helpOpen.value) return null;
  const all = [...keys, ...views.filter((v) => v.key).map((v) => ({ keys: "g " + v.key, does: "Go to " + v.title }))];
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => (helpOpen.value = false)}>
      <dl class="keys">
        {all.map((k) => [
          <dt>{k.keys.split(/[+ ]/).map((part) => <kbd>{part}</kbd>)}</dt>,
          <dd>{k.does}</dd>,
        ])}
      </dl>
    </Dialog>
  );
}
