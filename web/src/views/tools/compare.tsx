// What a call can be compared with: the call before, and another server with the same call or the same tool.
import { useSignal } from "@preact/signals";
import type { Call, Item, Link, List } from "../../api.gen";
import { get, path } from "../../api/client";
import { DiffDialog } from "../../components/diff";
import { Menu, type Action } from "../../components/menu";
import { duration } from "../../components/size";
import { linkTitle } from "../../components/state";
import { showError } from "../../components/toasts";
import { format } from "../../json/format";
import { links } from "../../state/links";
import { ask } from "../features/call";
import { ResultsDialog } from "./diff";

interface Props {
  link: Link;
  tool: Item;
  call: Call;
  others: Call[]; // of the same tool, the latest first
}

type Shown = { kind: "calls"; a: Call; b: Call; names: [string, string] } | { kind: "definitions"; texts: [string, string]; names: [string, string] };

export function Compare({ link, tool, call, others }: Props) {
  const shown = useSignal<Shown | null>(null);
  const busy = useSignal(false);
  const close = () => (shown.value = null);
  const here = linkTitle(link, links.value);
  const before = others.find((c) => c.n < call.n);
  const run = (work: () => Promise<Shown>) => () => {
    busy.value = true;
    void work().then((s) => (shown.value = s), showError).finally(() => (busy.value = false));
  };
  const servers = links.value.filter((l) => l.id !== link.id && l.state === "open").flatMap((other): Action[] => {
    const there = linkTitle(other, links.value);
    return [
      { label: `Run the same call on ${there}`, icon: "play", run: run(() => sameCall(call, other, here, there)) },
      { label: `Definition on ${there}`, icon: "servers", run: run(() => definitions(tool, other, here, there)) },
    ];
  });
  const actions: Action[] = [
    ...(before ? [{ label: `Call ${before.n} of this tool`, icon: "clock" as const, run: () => (shown.value = { kind: "calls", a: before, b: call, names: [`call ${before.n}`, `call ${call.n}`] }) }] : []),
    ...servers,
  ];
  if (actions.length === 0) return null;
  const s = shown.value;
  return (
    <>
      <Menu label={busy.value ? "Comparing …" : "Compare with"} icon="compare" text="Compare" actions={actions} />
      {s?.kind === "calls" && <ResultsDialog title={`${tool.name}: ${s.names.join(" and ")}`} a={s.a} b={s.b} names={s.names} onClose={close} />}
      {s?.kind === "definitions" && <DiffDialog title={`Definition of ${tool.name}: ${s.names.join(" and ")}`} onClose={close} a={{ name: s.names[0], text: s.texts[0] }} b={{ name: s.names[1], text: s.texts[1] }} />}
    </>
  );
}

async function sameCall(call: Call, other: Link, here: string, there: string): Promise<Shown> {
  const b = await ask(other.id, { method: call.method, name: call.name, arguments_json: call.arguments_json, anyway: true });
  return { kind: "calls", a: call, b, names: [`${here}, ${duration(call.elapsed_ns)}`, `${there}, ${duration(b.elapsed_ns)}`] };
}

async function definitions(tool: Item, other: Link, here: string, there: string): Promise<Shown> {
  const list = await get<List>(path("links", other.id, "list", "tools"));
  const same = list.items.find((i) => i.name === tool.name);
  if (!same) throw new Error(`${there} has no tool "${tool.name}"`);
  return { kind: "definitions", texts: [format(tool.raw_json), format(same.raw_json)], names: [here, there] };
}
