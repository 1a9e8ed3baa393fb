// The lists of a connection: read once, and again after a list change notification.
import { useEffect } from "preact/hooks";
import { useSignal, type Signal } from "@preact/signals";
import type { Link, List } from "../../api.gen";
import { get, path } from "../../api/client";
import { on } from "../../api/events";
import { showError } from "../../components/toasts";

type Kind = "resources" | "templates" | "prompts" | "tools";

/** useItems returns a list of an open connection and updates it; null until it was read. */
export function useItems(link: Link, kind: Kind): { list: Signal<List | null>; reload: () => void } {
  const list = useSignal<List | null>(null);
  const load = (fresh: boolean) => {
    get<List>(path("links", link.id, "list", kind) + (fresh ? "?fresh=1" : "")).then((l) => (list.value = l), showError);
  };
  useEffect(() => {
    if (link.state !== "open") return;
    load(false);
    const changed = kind === "templates" ? "resources" : kind;
    return on("list_changed", (e) => e.link === link.id && e.list === changed && load(true));
  }, [link.id, link.state]);
  return { list, reload: () => load(true) };
}
