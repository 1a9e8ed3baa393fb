// A line of stderr, with its adjacent lines: a stack trace has many lines.
import type { Link } from "../../api.gen";
import { TextView } from "../../components/textview";
import { copy } from "../../components/toasts";
import { href } from "../../state/route";
import { logOf } from "./log";
import { contextLines } from "./rows";
import { exactly } from "./units";

export function LineDetail({ link, n }: { link: Link; n: number }) {
  const block = contextLines(logOf(link.id).lines.value, n);
  const first = block[0];
  if (!first) return <div class="pane-body scroll" aria-busy={!logOf(link.id).loaded.value}><p class="muted">This line is no longer in the log.</p></div>;
  const text = block.map((line) => line.text).join("\n");
  return (
    <>
      <div class="pane-head">
        <h2 class="grow">stderr</h2>
        <button type="button" class="button quiet slim" onClick={() => void copy(text)}>Copy</button>
      </div>
      <div class="pane-body scroll stack" tabIndex={0} role="region" aria-label={"stderr, line " + n}>
        <dl class="frame-facts">
          <dt>Written</dt><dd>{exactly(block.find((line) => line.n === n)!.time)}</dd>
          {first.after > 0 && <><dt>After</dt><dd><a href={href("wire", link.id, String(first.after))}>frame {first.after}</a></dd></>}
          <dt>Lines</dt><dd>{block.length}</dd>
        </dl>
        <TextView text={text} label="stderr" />
      </div>
    </>
  );
}
