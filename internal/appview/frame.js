// The document between the page and a view: it loads the view into a frame and passes messages on, within limits.
"use strict";
{
  const { parent: page, view: origin, sandbox, allow } = document.body.dataset;
  const longest = 4 << 20; // characters of one message
  const burst = 500; // messages of the view at once
  const rate = 100; // messages of the view per second
  const view = document.createElement("iframe");
  document.body.style.cssText = "margin:0;background:transparent;overflow:hidden";
  view.style.cssText = "display:block;border:0;width:100vw;height:100vh;color-scheme:normal";
  view.title = "View";
  view.src = origin + "/";
  view.setAttribute("sandbox", sandbox);
  view.setAttribute("allow", allow);

  let left = burst;
  let last = performance.now();
  let dropped = 0;
  const send = (message) => parent.postMessage(message, page);
  const report = (method, params) => send({ jsonrpc: "2.0", method: "ui/notifications/sandbox-" + method, params });

  /** admit reports whether the view may send a message now. */
  const admit = () => {
    const now = performance.now();
    left = Math.min(burst, left + ((now - last) / 1000) * rate);
    last = now;
    if (left < 1) {
      if (dropped++ === 0) setTimeout(() => { report("dropped", { count: dropped }); dropped = 0; }, 1000);
      return false;
    }
    left--;
    return true;
  };

  addEventListener("message", (e) => {
    if (e.source === parent && e.origin === page) {
      if (e.data?.method === "ui/notifications/sandbox-resource-ready") {
        if (!view.isConnected) document.body.append(view);
        return;
      }
      view.contentWindow?.postMessage(e.data, origin);
      return;
    }
    if (!view.contentWindow || e.source !== view.contentWindow || e.origin !== origin || !admit()) return;
    let text;
    try {
      text = JSON.stringify(e.data); // also what a page may not receive: windows, ports, buffers
    } catch {
      return;
    }
    if (typeof text !== "string" || text.length > longest) return report("dropped", { count: 1, reason: "larger than 4 MB" });
    const message = JSON.parse(text);
    if (typeof message?.method === "string" && message.method.startsWith("ui/notifications/sandbox-")) return;
    send(message);
  });
  view.addEventListener("load", () => report("view-loaded", {}));
  report("proxy-ready", {});
}
