// A view whose code is fetched when it is opened for the first time.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { showError } from "./toasts";

export function lazy(load: () => Promise<ComponentType>): ComponentType {
  let shown: ComponentType | null = null;
  return function Lazy() {
    const [, redraw] = useState(false);
    useEffect(() => {
      if (shown) return;
      load().then((view) => {
        shown = view;
        redraw(true);
      }, showError);
    }, []);
    const Show = shown;
    return Show ? <Show /> : <p class="pad muted" role="status" aria-busy="true">Loading …</p>;
  };
}
