// Whether there is room for one pane more.
import { signal } from "@preact/signals";

const room = matchMedia("(min-width: 1680px)");

/** wide tells whether the wire fits beside the result. */
export const wide = signal(room.matches);

room.addEventListener("change", () => (wide.value = room.matches));
