// A suggested fix. It shows the tool's definition before and after; the author of the server has to change it.
import { useSignal } from "@preact/signals";
import type { Link, FixedDefinition } from "../../api.gen";
import { path, post } from "../../api/client";
import { Diff, unified } from "../../components/diff";
import { Icon } from "../../components/icon";
import { showError, copy } from "../../components/toasts";
import type { Fix } from "./report";

export function FixPanel({ link, tool, fix, edits }: { link: Link; tool: string; fix: Fix; edits: () => { pointer: string; value_json?: string }[] }) {
  const fixed = useSignal<FixedDefinition | null>(null);
  const apply = () => void post<FixedDefinition>(path("links", link.id, "apply-fix"), { tool, edits: edits() }).then((m) => (fixed.value = m), showError);
  return (
    <section class="card stack fix-panel" aria-label="Fix">
      <p class="break"><b>Fix</b> {fix.message}</p>
      {fixed.value ? (
        <>
          <Diff label="Definition before and after" lines={unified(fixed.value.diff)} />
          <button type="button" class="button slim" onClick={() => void copy(fixed.value!.after_json, "Fixed definition copied")}><Icon name="copy" />Copy fixed definition</button>
        </>
      ) : (
        <button type="button" class="button slim" onClick={apply}><Icon name="wand" />Show fix</button>
      )}
    </section>
  );
}
