// A template: its variables with completions from the server, and the resulting URI.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Completion, Expanded, Item, Link } from "../../api.gen";
import { path, post } from "../../api/client";
import { Empty } from "../../components/empty";
import { Icon } from "../../components/icon";
import { Notice } from "../../components/notice";
import { showError } from "../../components/toasts";
import { store, stored } from "../../state/persist";
import { go } from "../../state/route";
import { Combo } from "./combo";
import { Reading } from "./reading";

export function Template({ link, item, onRead }: { link: Link; item: Item; onRead: (now: boolean) => void }) {
  const key = `template:${link.server ?? link.name}:${item.name}`;
  const typed = useSignal(stored<Record<string, string>>(key, {}));
  const made = useSignal<Expanded | null>(null);
  const reading = useSignal("");
  useEffect(() => {
    const stop = new AbortController();
    post<Expanded>("/expand", { template: item.name, values: typed.value }, stop.signal).then((e) => (made.value = e), showError);
    return () => stop.abort();
  }, [typed.value, item.name]);
  const set = (name: string, value: string) => {
    typed.value = { ...typed.value, [name]: value };
    store(key, typed.value);
  };
  const complete = (name: string) => async (value: string) => {
    const { [name]: _, ...context } = typed.value;
    return post<Completion>(path("links", link.id, "complete"), { template: item.name, argument: name, value, context });
  };
  const uri = made.value?.uri ?? "";
  return (
    <>
      <section class="pane" aria-label="Template">
        <div class="pane-head">
          <button type="button" class="button quiet slim icon back" aria-label="Back to the list" onClick={() => go("resources", link.id)}><Icon name="back" /></button>
          <h2 class="cut grow">{item.title ?? item.label ?? "Template"}</h2>
        </div>
        <form class="pane-body scroll stack gap-wide" onSubmit={(e) => { e.preventDefault(); reading.value = uri; onRead(true); }}>
          {item.description && <p class="muted break">{item.description}</p>}
          {(item.variables ?? []).map((name) => (
            <div key={name} class="stack tight">
              <span class="field-name">{name}<span class="mark">{typed.value[name] === undefined ? "unset" : typed.value[name] === "" ? "empty" : ""}</span></span>
              <Combo label={name} value={typed.value[name] ?? ""} onInput={(v) => set(name, v)} complete={link.declares.includes("completions") ? complete(name) : undefined} />
            </div>
          ))}
          <div class="stack tight">
            <span class="small muted">URI to read</span>
            <div class="uri uri-line" data-uri={uri}>{uri || item.name}</div>
            {made.value && made.value.missing.length > 0 && <span class="small warn">Missing: {made.value.missing.join(", ")}</span>}
            {made.value?.problem && <Notice tone="bad">{made.value.problem}</Notice>}
          </div>
          <div class="row"><button type="submit" class="button primary" disabled={uri === ""}>Read</button></div>
        </form>
      </section>
      {reading.value ? <Reading key={reading.value} link={link} uri={reading.value} about={{ ...item, description: undefined }} onBack={() => onRead(false)} /> : (
        <section class="pane" aria-label="Content"><Empty icon="resources" title="Not read yet"><p>Fill in the variables, then read.</p></Empty></section>
      )}
    </>
  );
}
