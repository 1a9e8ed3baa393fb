// The frame of the page: the rail with views and connections, and the view in the URL.
import { useEffect, useErrorBoundary } from "preact/hooks";
import { paletteOpen, helpOpen } from "./state/commands";
import { current, hello, links } from "./state/links";
import { href, placeOf, route } from "./state/route";
import { switchTheme } from "./state/theme";
import { live } from "./api/events";
import type { ComponentType } from "preact";
import { Empty } from "./components/empty";
import { Help } from "./components/help";
import { Icon } from "./components/icon";
import { Palette } from "./components/palette";
import { linkTitle, StateDot } from "./components/state";
import { Toasts } from "./components/toasts";
import { ChangesBanner } from "./views/changes/banner";
import { ConnectionState } from "./views/features/connectionstate";
import { QuestionPanel } from "./views/questions/panel";
import { views } from "./views/registry";

export function Shell() {
  const view = views.find((v) => v.id === route.value.view) ?? views[0]!;
  const Show = view.show;
  return (
    <>
      <a class="skip" href="#main" onClick={(e) => { e.preventDefault(); document.getElementById("main")?.focus(); }}>Skip to content</a>
      <div class="shell">
        <Rail view={view.id} />
        <main class="page" id="main" tabIndex={-1} aria-label={view.title}>
          {live.value === false && <div class="banner" role="alert">Connection to mcptest lost. Reconnecting…</div>}
          {view.linked && current.value && <ConnectionState link={current.value} />}
          {view.linked && current.value?.changes && <ChangesBanner key={current.value.id} link={current.value} />}
          <ErrorBoundary key={view.id} show={Show} />
          <QuestionPanel />
        </main>
      </div>
      <Palette />
      <Help />
      <Toasts />
    </>
  );
}

// ErrorBoundary contains an error in one view, so that the rest of the page keeps working.
function ErrorBoundary({ show: Show }: { show: ComponentType }) {
  const [broke, reset] = useErrorBoundary((e) => console.error(e));
  const { link, item } = route.value;
  useEffect(() => void (broke && reset()), [link, item]); // another route may work
  if (!broke) return <Show />;
  return (
    <Empty icon="alert" title="Error in this view">
      <p class="break">{String(broke)}</p>
      <button type="button" class="button" onClick={reset}>Try again</button>
    </Empty>
  );
}

function Rail({ view }: { view: string }) {
  const link = current.value;
  useEffect(() => document.querySelectorAll(".rail [aria-current=page]").forEach((a) => a.scrollIntoView({ block: "nearest", inline: "nearest" })), [view, link?.id]);
  return (
    <div class="rail">
      <a class="brand" href={href("servers")} aria-label="mcptest">
        <svg viewBox="0 0 20 20" aria-hidden="true"><path d="M3 16V5.5L10 12l7-6.5V16" fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" /></svg>
        <span class="label">mcptest</span>
      </a>
      <nav class="nav" aria-label="Views">
        {views.map((v) => {
          const waiting = v.id === "questions" ? links.value.reduce((n, l) => n + l.questions.length, 0) : 0;
          return (
            <a key={v.id} href={v.linked && link ? href(v.id, link.id, placeOf(v.id, link.id)) : href(v.id)} aria-current={v.id === view ? "page" : undefined} title={v.title}>
              <Icon name={v.icon} />
              <span class="label">{v.title}</span>
              {waiting > 0 && <span class="badge warn">{waiting}</span>}
            </a>
          );
        })}
      </nav>
      <Connections view={view} />
      <nav class="nav tools-end" aria-label="Page">
        <button type="button" title="Command palette (Ctrl+K)" onClick={() => (paletteOpen.value = true)}><Icon name="search" /><span class="label grow">Commands</span><kbd>Ctrl K</kbd></button>
        <button type="button" title="Toggle theme" onClick={switchTheme}><Icon name="sun" /><span class="label">Toggle theme</span></button>
        <button type="button" title={"Keyboard shortcuts · mcptest " + (hello.value?.version ?? "")} onClick={() => (helpOpen.value = true)}><Icon name="help" /><span class="label">Keyboard shortcuts</span></button>
      </nav>
    </div>
  );
}

function Connections({ view }: { view: string }) {
  const shown = views.find((v) => v.id === view);
  const to = shown?.linked ? view : "tools";
  return (
    <div class="links">
      {links.value.length > 0 && <h2>Connections</h2>}
      <nav class="nav" aria-label="Connections">
        {links.value.map((l) => (
          <a key={l.id} href={href(to, l.id)} aria-current={shown?.linked && l.id === current.value?.id ? "page" : undefined} title={l.name}>
            <StateDot link={l} />
            <span class="label cut">{linkTitle(l, links.value)}</span>
            {l.questions.length > 0 && <span class="badge warn">{l.questions.length}</span>}
          </a>
        ))}
      </nav>
    </div>
  );
}
