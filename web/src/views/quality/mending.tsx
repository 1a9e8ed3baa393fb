// A fix on offer. Applied, it shows the tool's definition before and after; the definition is the server's author's to change.
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
          <DiffLines label="The definition before and after" diff={mended.value.diff} />
          <button type="button" class="button slim" onClick={() => void copy(mended.value!.after_json, "The fixed definition was copied")}><Icon name="copy" />Copy the fixed definition</button>
        </>
      ) : (
        <button type="button" class="button slim" onClick={apply}><Icon name="wand" />Apply and see the difference</button>
      )}
    </section>
  );
}
