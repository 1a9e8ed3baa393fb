// A suggested fix. It shows the tool's definition before and after; the author of the server has to change it.
import { useSignal } from "@preact/signals";
import type { Link, Mended } from "../../api.gen";
import { path, post } from "../../api/client";
import { Icon } from "../../components/icon";
import { complain, copy } from "../../components/toasts";
import { DiffLines } from "./diff";
import type { Fix } from "./report";

export function Mending({ link, tool, fix, edits }: { link: Link; tool: string; fix: Fix; edits: () => { pointer: string; value_json?: string }[] }) {
  const mended = useSignal<Mended | null>(null);
  const apply = () => void post<Mended>(path("links", link.id, "mend"), { tool, edits: edits() }).then((m) => (mended.value = m), complain);
  return (
    <section class="card stack mending" aria-label="Fix">
      <p class="break"><b>Fix</b> {fix.message}</p>
      {mended.value ? (
        <>
          <DiffLines label="Definition before and after" diff={mended.value.diff} />
          <button type="button" class="button slim" onClick={() => void copy(mended.value!.after_json, "Fixed definition copied")}><Icon name="copy" />Copy fixed definition</button>
        </>
      ) : (
        <button type="button" class="button slim" onClick={apply}><Icon name="wand" />Show fix</button>
      )}
    </section>
  );
}
