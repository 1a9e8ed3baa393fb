// Whether there is space for one more pane.
import { signal } from "@preact/signals";

const room = matchMedia("(min-width: 1680px)");

/** wide reports whether the frames can be shown next to the result. */
export const wide = signal(room.matches);

room.addEventListener("change", () => (wide.value = room.matches));
