// What can be done from the keyboard: commands of the palette, and keys.
import { signal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { IconName } from "../components/icon";

export interface Command {
  title: string;
  where?: string; // what it belongs to
  icon?: IconName;
  run: () => void;
}

type Source = () => Command[];

const sources = new Set<Source>();
const changes = signal(0);

/** commands are those of everything that is in sight. */
export function commands(): Command[] {
  void changes.value;
  return [...sources].flatMap((s) => s());
}

/** offer adds commands for good. */
export function offer(source: Source): void {
  sources.add(source);
}

/** useCommands offers commands while a component is in sight. */
export function useCommands(source: Source): void {
  useLayoutEffect(() => {
    sources.add(source);
    changes.value++;
    return () => void sources.delete(source);
  });
}

export const paletteOpen = signal(false);
export const helpOpen = signal(false);

export interface Key {
  keys: string; // as shown: "Ctrl+Enter", "g t", "?"
  does: string;
}

/** The keys that work everywhere; those of a view are told by its own controls. */
export const keys: Key[] = [
  { keys: "Ctrl+K", does: "Open the palette: views, servers, tools and actions by name" },
  { keys: "Ctrl+Enter", does: "Run the tool, from any field" },
  { keys: "/", does: "Go to the filter of the list; arrow down goes on to the list" },
  { keys: "j", does: "Next item of the list (also the arrow down)" },
  { keys: "k", does: "Previous item of the list (also the arrow up)" },
  { keys: "Enter", does: "From the list to what is chosen" },
  { keys: "Esc", does: "Close what is open, or empty the filter" },
  { keys: "?", does: "Show the keys" },
];
