// What changed in a server, with a verdict and a proof for each change. It is loaded when it is first shown.
import { useEffect, useState } from "preact/hooks";
import type { ChangedItem, ItemChange, Link, SurfaceChanges } from "../../api.gen";
import { get, path } from "../../api/client";
import { Diff } from "../../components/diff";
import { Dialog } from "../../components/dialog";
import { showError } from "../../components/toasts";
import { diffLines } from "../../json/diff";
import { dismiss } from "./banner";

const tones: Record<string, string> = { breaking: "bad", unknown: "warn", meaning: "warn", compatible: "good" };
const titles: Record<string, string> = { meaning: "meaning changed" };

export function ChangesDialog({ link, onClose }: { link: Link; onClose: () => void }) {
  const [changes, setChanges] = useState<SurfaceChanges | null>(null);
  useEffect(() => {
    let here = true;
    get<SurfaceChanges>(path("links", link.id, "changes")).then((c) => here && setChanges(c), showError);
    return () => void (here = false);
  }, [link.id, link.changes?.items]);
  const accept = () => void dismiss(link).then(onClose, showError);
  return (
    <Dialog title="Changed since you last connected" onClose={onClose} wide
      foot={<><span class="grow muted">After that, changes are reported from this state on.</span><button type="button" class="button" onClick={accept}>Dismiss</button></>}>
      {changes && <ul class="changes-list">{changes.items.map((item) => <Item key={item.kind + " " + item.name} item={item} />)}</ul>}
    </Dialog>
  );
}

function Item({ item }: { item: ChangedItem }) {
  return (
    <li>
      <h3>
        <Verdict of={item.verdict} /> <span class="muted">{item.kind}</span> <span class="mono break">{item.name}</span>
        {item.was && <span class="muted"> was <span class="mono break">{item.was}</span></span>}
      </h3>
      {item.suspicious.map((s, i) => <p key={i} class="changes-suspicion"><span class="badge bad">{s.rule}</span> {s.message}</p>)}
      {item.changes.map((c, i) => <One key={i} change={c} />)}
    </li>
  );
}

function Verdict({ of }: { of: string }) {
  return <span class={"badge " + (tones[of] ?? "")}>{titles[of] ?? of}</span>;
}

function One({ change: c }: { change: ItemChange }) {
  const lines = c.old || c.new ? diffLines((c.old ?? "").split("\n"), (c.new ?? "").split("\n")) : [];
  return (
    <div class="changes-one">
      <p>{c.message}</p>
      {lines.length > 0 && <Diff label="Difference" lines={lines.filter((l) => l.sign !== " " && l.text !== "")} />}
      {c.method && (
        <dl class="changes-proof">
          <dt>Example</dt><dd class="mono break">{c.method} {c.target} {c.call_json}</dd>
          <dt>Now</dt><dd class="break">{c.rejection}</dd>
        </dl>
      )}
    </div>
  );
}
