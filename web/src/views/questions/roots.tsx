// The roots sent to a server.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Link, Root, Roots as All } from "../../api.gen";
import { get, path, put } from "../../api/client";
import { Icon } from "../../components/icon";
import { showError, toast } from "../../components/toasts";
import { current } from "../../state/links";
import { NotConnected } from "../features/notconnected";

export function RootsView() {
  const link = current.value;
  if (link?.state !== "open") return <NotConnected link={link} icon="roots" what="roots" />;
  return (
    <>
      <div class="page-head"><h1>Roots</h1></div>
      <div class="page-body scroll page-scroll" tabIndex={0} role="region" aria-label="Roots">
        <div class="column narrow"><div class="card padded"><Roots key={link.id} link={link} /></div></div>
      </div>
    </>
  );
}

function Roots({ link }: { link: Link }) {
  const roots = useSignal<Root[]>([]);
  const saved = useSignal(""); // empty until they are loaded
  const keep = (all: All) => {
    roots.value = all.roots;
    saved.value = JSON.stringify(all.roots);
  };
  useEffect(() => void get<All>(path("links", link.id, "roots")).then(keep, showError), [link.id]);
  const change = (at: number, part: Partial<Root>) => (roots.value = roots.value.map((r, i) => (i === at ? { ...r, ...part } : r)));
  const save = async () => {
    try {
      keep(await put<All>(path("links", link.id, "roots"), { roots: roots.value }));
      toast("Server notified");
    } catch (problem) {
      showError(problem);
    }
  };
  return (
    <form class="stack" onSubmit={(e) => { e.preventDefault(); void save(); }}>
      <p class="muted">The response to <code>roots/list</code>. The server is notified of changes.</p>
      {saved.value !== "" && roots.value.length === 0 && <p class="faint">No roots: the server gets an empty list.</p>}
      {roots.value.map((r, i) => (
        <div key={i} class="row">
          <input class="input mono" aria-label={`URI of root ${i + 1}`} placeholder="file:///home/me/project" value={r.uri} spellcheck={false} onInput={(e) => change(i, { uri: e.currentTarget.value })} />
          <input class="input root-name" aria-label={`Name of root ${i + 1}`} placeholder="Name" value={r.name ?? ""} onInput={(e) => change(i, { name: e.currentTarget.value || undefined })} />
          <button type="button" class="button quiet icon" aria-label={`Remove root ${i + 1}`} onClick={() => (roots.value = roots.value.filter((_, at) => at !== i))}><Icon name="trash" /></button>
        </div>
      ))}
      <div class="row">
        <button type="button" class="button slim" disabled={saved.value === ""} onClick={() => (roots.value = [...roots.value, { uri: "file:///" }])}><Icon name="plus" />Add root</button>
        <span class="grow" />
        <button type="submit" class="button primary slim" disabled={saved.value === "" || JSON.stringify(roots.value) === saved.value}>Save</button>
      </div>
    </form>
  );
}
