// The suite generated from a server, as a file.
import type { Link } from "../../api.gen";
import { Icon } from "../../components/icon";
import { save } from "../../components/save";
import { TextView } from "../../components/textview";
import { copy } from "../../components/toasts";
import { hello } from "../../state/links";
import { go } from "../../state/route";
import { fill } from "./inputs";

/** suiteIn finds a suite in the output of an operation; empty if there is none. */
export function suiteIn(text: string): string {
  try {
    const { suite } = JSON.parse(text) as { suite?: unknown };
    return typeof suite === "string" ? suite : "";
  } catch {
    return "";
  }
}

export function SuiteText({ link, text }: { link: Link; text: string }) {
  const runs = hello.value?.operations.find((o) => o.name === "run");
  const take = (run: NonNullable<typeof runs>) => {
    fill(run, "suite", text);
    go("quality", link.id, run.name);
  };
  return (
    <>
      <div class="pane-head">
        <h2 class="grow">Suite</h2>
        {runs && <button type="button" class="button quiet slim" onClick={() => take(runs)}>Run this suite</button>}
        <button type="button" class="button quiet slim" onClick={() => void copy(text)}>Copy</button>
        <button type="button" class="button slim" onClick={() => save("mcptest.yaml", new Blob([text]))}><Icon name="download" />Save</button>
      </div>
      <div class="pane-body scroll grow" tabIndex={0} role="region" aria-label="Suite"><TextView text={text} label="Suite" /></div>
    </>
  );
}
