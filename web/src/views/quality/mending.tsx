// A fix on offer. Applied, it shows the tool's definition before and after; the definition is the server's author's to change.
import { useSignal } from "@preact/signals";
import type { Link } from "../../api.gen";
import { Icon } from "../../components/icon";
import type { Fix } from "./report";

export function Mending({ fix }: { link: Link; tool: string; fix: Fix }) {
  const applied = useSignal(false);
  return (
    <div class="card stack mending">
      <p class="break">{fix.message}</p>
      <button type="button" class="button slim" onClick={() => (applied.value = true)}><Icon name="wand" />Apply fix</button>
    </div>
  );
}
