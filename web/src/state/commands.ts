// Keyboard actions: commands of the palette, and shortcuts.
import { signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { IconName } from "../components/icon";

export interface Command {
  title: string;
  where?: string; // the group it belongs to
  icon?: IconName;
  run: () => void;
  again?: () => void; // another action, with Ctrl+Enter
}

type Source = () => Command[];

const sources = new Set<Source>();
const changes = signal(0);

/** commands returns the commands of all visible components. */
export function commands(): Command[] {
  void changes.value;
  return [...sources].flatMap((s) => s());
}

/** offer adds permanent commands. */
export function offer(source: Source): void {
  sources.add(source);
}

/** useCommands offers commands while a component is mounted. */
export function useCommands(source: Source): void {
  useLayoutEffect(() => {
    sources.add(source);
    changes.value++;
    return () => void sources.delete(source);
  });
}

/** picker is the list that is open over the page: all commands, the history of calls, or the saved calls. */
export const picker = signal<"" | "commands" | "history" | "saved">("");
export const helpOpen = signal(false);

export interface Key {
  keys: string; // as shown: "Ctrl+Enter", "g t", "?"
  does: string;
}

/** The shortcuts that work everywhere; the controls of a view show its own. */
export const keys: Key[] = [
  { keys: "Ctrl+K", does: "Open the command palette: views, servers, tools and actions by name" },
  { keys: "Ctrl+Enter", does: "Run the tool, from any field" },
  { keys: "h", does: "Open the history of calls: Enter shows a call, Ctrl+Enter runs it again" },
  { keys: "s", does: "Open the saved calls: Enter fills in the arguments, Ctrl+Enter runs them" },
  { keys: "/", does: "Focus the list filter; arrow down moves to the list" },
  { keys: "j", does: "Focus the list; next item (also arrow down)" },
  { keys: "k", does: "Focus the list; previous item (also arrow up)" },
  { keys: "Enter", does: "Focus the selected item" },
  { keys: "n", does: "Focus the pending request of a server" },
  { keys: "Esc", does: "Close the dialog, clear the filter or leave the field" },
  { keys: "?", does: "Show keyboard shortcuts" },
];
