// The current route. It is in the fragment of the URL, #/view/link/item, so that every location has a link and the
// server does not see it.
import { effect, signal } from "@preact/signals";

export interface Route {
  view: string;
  link: string; // the connection; empty if the view has none
  item: string; // the tool, resource, frame …; empty for none
}

export const route = signal<Route>(read(location.hash));

function read(hash: string): Route {
  const [path = ""] = hash.replace(/^#\/?/, "").split("?");
  const [view = "", link = "", ...item] = path.split("/").map(decode);
  return { view: view.includes("=") ? "" : view, link, item: item.join("/") };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const places = new Map<string, string>();

effect(() => {
  const { view, link, item } = route.value;
  places.set(view + "/" + link, item);
});

/** placeOf is the last item shown in a view of a connection, to restore it when the user returns. */
export function placeOf(view: string, link: string): string {
  return places.get(view + "/" + link) ?? "";
}

/** href returns the link to a route. */
export function href(view: string, link = "", item = ""): string {
  const parts = [view, link, item];
  while (parts.length > 1 && parts[parts.length - 1] === "") parts.pop();
  return "#/" + parts.map(encodeURIComponent).join("/");
}

/** go opens a route. With replace, it replaces the current history entry. */
export function go(view: string, link = "", item = "", replace = false): void {
  const to = href(view, link, item);
  if (to === location.hash) return;
  if (replace) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  route.value = read(to);
}

/** followRoute handles the browser's own navigation. One click causes both events: the second one changes nothing. */
export function followRoute(): void {
  const update = () => {
    const [to, at] = [read(location.hash), route.value];
    if (href(to.view, to.link, to.item) !== href(at.view, at.link, at.item)) route.value = to;
  };
  addEventListener("hashchange", update);
  addEventListener("popstate", update);
}
