// What the page may do on this machine, and who grants it.
import { hello } from "../../state/links";

export function Grants() {
  return (
    <details class="grants">
      <summary>Permissions of this page</summary>
      <dl class="facts">
        {(hello.value?.capabilities ?? []).map((c) => <><dt>{c.name}</dt><dd>{c.by.replaceAll("`", "")}{c.lasts && ` (${c.lasts})`}</dd></>)}
      </dl>
    </details>
  );
}
