// Two results, line by line.
import { useEffect, useState } from "preact/hooks";
import type { Call } from "../../api.gen";
import { get, path, send } from "../../api/client";
import { DiffDialog } from "../../components/diff";
import { showError } from "../../components/toasts";
import { format } from "../../json/format";

interface Props {
  title: string;
  a: Call;
  b: Call;
  names?: [a: string, b: string];
  onClose: () => void;
}

export function ResultsDialog({ title, a, b, names = [`call ${a.n}`, `call ${b.n}`], onClose }: Props) {
  const [texts, setTexts] = useState<[string, string] | null>(null);
  useEffect(() => {
    Promise.all([resultOf(a), resultOf(b)]).then(setTexts, showError);
  }, [a.link, a.n, b.link, b.n]);
  return texts && <DiffDialog title={title} a={{ name: names[0], text: texts[0] }} b={{ name: names[1], text: texts[1] }} onClose={onClose} />;
}

/** resultOf is the result with line breaks, else the raw response. */
async function resultOf(call: Call): Promise<string> {
  const full = await get<Call>(path("links", call.link, "calls", call.n));
  return full.result_json ?? format(await (await send("GET", path("links", call.link, "calls", call.n, "raw"))).text());
}
