// The frame of a view. It is created by hand: when the page removes what is around it, the frame stays, invisible, until the
// view has responded to its end.
import type { App } from "../../api.gen";
import { path, remove } from "../../api/client";
import { Host, type Surroundings } from "./host";

/** openFrame loads a view into a place of the page. */
export function openFrame(place: HTMLElement, app: App, around: Surroundings): Host {
  const frame = document.createElement("iframe");
  frame.title = "View of " + app.tool;
  frame.className = "app-frame";
  frame.src = app.frame_url; // before the sandbox: a frame of this origin would be able to leave it
  frame.setAttribute("sandbox", "allow-scripts allow-same-origin allow-forms");
  frame.setAttribute("allow", app.features.map((f) => `${f} *`).join("; "));
  frame.referrerPolicy = "no-referrer";
  const host = new Host(frame, app, around);
  place.append(frame);
  return host;
}

/** closeFrame ends a view and removes its frame. */
export async function closeFrame(host: Host, link: string): Promise<void> {
  const { frame } = host;
  const body = document.body as HTMLElement & { moveBefore?: (node: Node, before: Node | null) => void };
  try {
    body.moveBefore?.(frame, null); // keeps its document; other browsers remove it now
    frame.hidden = true;
  } catch {
    // it is not in the page anymore
  }
  await host.end();
  frame.remove();
  await remove(path("links", link, "apps", host.app.id)).catch(() => undefined); // the connection was removed
}
