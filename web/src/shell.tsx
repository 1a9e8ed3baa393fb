// The frame of the page: the rail, and the view in the URL.
import { useEffect, useErrorBoundary } from "preact/hooks";
import { current } from "./state/links";
import { route } from "./state/route";
import { live } from "./api/events";
import type { ComponentType } from "preact";
import { Empty } from "./components/empty";
import { Help } from "./components/help";
import { Pickers } from "./pickers";
import { Rail } from "./rail";
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
        <Rail view={view} />
        <main class="page" id="main" tabIndex={-1} aria-label={view.title}>
          {live.value === false && <div class="banner" role="alert">Connection to mcptest lost. Reconnecting…</div>}
          {view.linked && current.value && <ConnectionState link={current.value} />}
          {view.linked && current.value?.changes && <ChangesBanner key={current.value.id} link={current.value} />}
          <ErrorBoundary key={view.id} show={Show} />
          <QuestionPanel />
        </main>
      </div>
      <Pickers />
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
