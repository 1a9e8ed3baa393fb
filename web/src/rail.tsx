// The rail: the views in groups, the connections, and what concerns the whole page. On a narrow page it is a bar with the
// daily views, and opens to the whole list.
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { Icon } from "./components/icon";
import { linkTitle, StateDot } from "./components/state";
import { helpOpen, picker } from "./state/commands";
import { current, hello, links } from "./state/links";
import { href, placeOf, route } from "./state/route";
import { switchTheme } from "./state/theme";
import { groups, type View } from "./views/registry";

export function Rail({ view }: { view: View }) {
  const open = useSignal(false);
  const close = () => void (open.value = false);
  useLayoutEffect(close, [route.value]); // a view was chosen; at once, so that it does not close what is opened next
  const link = current.value;
  useEffect(() => document.querySelectorAll(".rail [aria-current=page]").forEach((a) => a.scrollIntoView({ block: "nearest", inline: "nearest" })), [view, link?.id]);
  const daily = groups[0]!.views.includes(view);
  return (
    <div class="rail" data-open={open.value} onKeyDown={(e) => e.key === "Escape" && open.value && (e.stopPropagation(), close())}>
      <a class="brand" href={href("servers")} aria-label="mcptest">
        <svg viewBox="0 0 20 20" aria-hidden="true"><path d="M3 16V5.5L10 12l7-6.5V16" fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" /></svg>
        <span class="label">mcptest</span>
      </a>
      <button type="button" class="button quiet rail-toggle" aria-expanded={open.value} aria-controls="views" aria-label={"All views" + (!daily && !open.value ? ", " + view.title : "")} onClick={() => (open.value = !open.value)}>
        <Icon name={open.value ? "close" : "menu"} />{!daily && !open.value && <span>{view.title}</span>}
      </button>
      <nav class="nav views" id="views" aria-label="Views">
        {groups.map((g) => (
          <div key={g.title} role="group" class="nav-group" aria-label={g.title || "Daily"}>
            {g.title && <h2>{g.title}</h2>}
            {g.views.map((v) => <ViewLink key={v.id} view={v} shown={v === view} />)}
          </div>
        ))}
      </nav>
      <Connections view={view} />
      <nav class="nav tools-end" aria-label="Page" onClick={close}>
        <button type="button" title="History of calls (h)" onClick={() => (picker.value = "history")}><Icon name="clock" /><span class="label grow">History</span><kbd>h</kbd></button>
        <button type="button" title="Saved calls (s)" onClick={() => (picker.value = "saved")}><Icon name="star" /><span class="label grow">Saved calls</span><kbd>s</kbd></button>
        <button type="button" title="Command palette (Ctrl+K)" onClick={() => (picker.value = "commands")}><Icon name="search" /><span class="label grow">Commands</span><kbd>Ctrl K</kbd></button>
        <button type="button" title="Toggle theme" onClick={switchTheme}><Icon name="sun" /><span class="label">Toggle theme</span></button>
        <button type="button" title={"Keyboard shortcuts · mcptest " + (hello.value?.version ?? "")} onClick={() => (helpOpen.value = true)}><Icon name="help" /><span class="label grow">Shortcuts</span><kbd>?</kbd></button>
      </nav>
    </div>
  );
}

function ViewLink({ view: v, shown }: { view: View; shown: boolean }) {
  const link = current.value;
  const waiting = v.waiting ? links.value.reduce((n, l) => n + v.waiting!(l), 0) : 0;
  return (
    <a href={v.linked && link ? href(v.id, link.id, placeOf(v.id, link.id)) : href(v.id)} aria-current={shown ? "page" : undefined} title={v.title}>
      <Icon name={v.icon} />
      <span class="label">{v.title}</span>
      {waiting > 0 && <span class="badge warn">{waiting}</span>}
    </a>
  );
}

function Connections({ view }: { view: View }) {
  const to = view.linked ? view.id : "tools";
  return (
    <div class="links">
      {links.value.length > 0 && <h2>Connections</h2>}
      <nav class="nav" aria-label="Connections">
        {links.value.map((l) => (
          <a key={l.id} href={href(to, l.id)} aria-current={view.linked && l.id === current.value?.id ? "page" : undefined} title={l.name}>
            <StateDot link={l} />
            <span class="label cut">{linkTitle(l, links.value)}</span>
            {l.questions.length > 0 && <span class="badge warn">{l.questions.length}</span>}
          </a>
        ))}
      </nav>
    </div>
  );
}
