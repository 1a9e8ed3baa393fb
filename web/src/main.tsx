// The page of mcptest inspect.
import { effect } from "@preact/signals";
import { render } from "preact";
import { followToken, takeToken, token } from "./api/client";
import { listen } from "./api/events";
import { linkTitle } from "./components/state";
import { showError } from "./components/toasts";
import { Gate } from "./tokenprompt";
import { Shell } from "./shell";
import { offer, picker } from "./state/commands";
import { followKeyboard, visit } from "./state/keyboard";
import { followLinks, hello, links, loadAll } from "./state/links";
import { followRoute, go, route } from "./state/route";
import { followTheme, switchTheme } from "./state/theme";
import { views } from "./views/registry";

function App() {
  if (token.value === "") return <Gate />;
  return hello.value ? <Shell /> : null;
}

takeToken();
followToken();
followTheme();
followRoute();
followKeyboard();
followLinks();
offer(() => [
  ...views.map((v) => ({ title: v.title, where: "View", icon: v.icon, run: () => visit(v.id) })),
  ...links.value.map((l) => ({ title: linkTitle(l, links.value), where: "Connection", icon: "servers" as const, run: () => go("tools", l.id) })),
  { title: "History of calls", where: "Page", icon: "clock", run: () => (picker.value = "history") },
  { title: "Saved calls", where: "Page", icon: "star", run: () => (picker.value = "saved") },
  { title: "Toggle theme", where: "Page", icon: "sun", run: switchTheme },
]);
effect(() => {
  if (token.value === "") return;
  loadAll().then(() => {
    const given = links.value.find((l) => l.server === "given"); // the target of the command line
    if (route.peek().view === "" && given) go("tools", given.id, "", true);
    void listen(hello.value?.event ?? 0);
  }, showError);
});
render(<App />, document.getElementById("app")!);
