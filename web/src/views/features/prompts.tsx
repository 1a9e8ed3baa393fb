// The prompts of a connection: arguments with completions from the server, and the resulting messages.
import type { Item, Link, PromptArgument } from "../../api.gen";
import { path, post } from "../../api/client";
import type { Completion } from "../../api.gen";
import { Empty } from "../../components/empty";
import { Filter, matches } from "../../components/filter";
import { Icon } from "../../components/icon";
import { List } from "../../components/list";
import { Notice } from "../../components/notice";
import { useSignal } from "@preact/signals";
import { useCommands } from "../../state/commands";
import { current } from "../../state/links";
import { go, route } from "../../state/route";
import { store, stored } from "../../state/persist";
import { MessageList } from "../questions/messages";
import { useCall } from "./call";
import { Combo } from "./combo";
import { useItems } from "./items";
import { NotConnected, emptyReason } from "./notconnected";
import { BlockOf, Outcome } from "./outcome";

export function PromptsView() {
  const link = current.value;
  return link?.state === "open" ? <Prompts key={link.id} link={link} /> : <NotConnected link={link} icon="prompts" what="prompts" />;
}

function Prompts({ link }: { link: Link }) {
  const { list } = useItems(link, "prompts");
  const filter = useSignal("");
  const asked = useSignal(""); // the prompt whose messages are shown on a narrow page
  const items = list.value?.items ?? [];
  const shown = items.filter((i) => matches(filter.value, i.name + " " + (i.title ?? "")));
  const chosen = items.find((i) => i.name === route.value.item) ?? null;
  useCommands(() => items.map((i) => ({ title: i.name, where: "Prompt", icon: "prompts", run: () => go("prompts", link.id, i.name) })));
  if (list.value && items.length === 0) {
    return <Empty icon="prompts" title="No prompts"><p>{emptyReason(link, "prompts", list.value.refused)}</p></Empty>;
  }
  return (
    <div class="panes offer" data-front={chosen ? (asked.value === chosen.name ? "2" : "1") : "0"}>
      <section class="pane" aria-label="Prompts">
        <div class="pane-head"><Filter label="Filter prompts" value={filter.value} onInput={(v) => (filter.value = v)} count={String(items.length)} /></div>
        <div class="scroll grow">
          <List id="prompts" label="Prompts" items={shown} keyOf={(i) => i.name} selected={chosen?.name ?? ""} onSelect={(name) => go("prompts", link.id, name)}
            row={(i) => (<><span class="name cut grow">{i.name}</span>{(i.arguments?.length ?? 0) > 0 && <span class="faint small tabular">{i.arguments!.length}</span>}</>)} />
        </div>
        {list.value?.problems.map((p) => <Notice key={p} tone="warn">{p}</Notice>)}
      </section>
      {chosen ? <Prompt key={chosen.name} link={link} item={chosen} onAsked={(now) => (asked.value = now ? chosen.name : "")} /> : (
        <section class="pane span" aria-label="Prompt"><Empty icon="prompts" title="Choose a prompt"><p>Fill in its arguments to see the resulting messages.</p></Empty></section>
      )}
    </div>
  );
}

function Prompt({ link, item, onAsked }: { link: Link; item: Item; onAsked: (now: boolean) => void }) {
  const key = `prompt:${link.server ?? link.name}:${item.name}`;
  const typed = useSignal(stored<Record<string, string>>(key, {}));
  const { call, run } = useCall(link.id);
  const set = (name: string, value: string | undefined) => {
    const { [name]: _, ...rest } = typed.value;
    typed.value = value === undefined ? rest : { ...rest, [name]: value };
    store(key, typed.value);
  };
  const submit = () => {
    onAsked(true);
    return run({ method: "prompts/get", name: item.name, arguments_json: JSON.stringify(typed.value) });
  };
  const missing = (item.arguments ?? []).filter((a) => a.required && typed.value[a.name] === undefined);
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key !== "Enter" || !(e.ctrlKey || e.metaKey)) return;
    e.preventDefault();
    void submit();
  };
  const got = call.value;
  return (
    <>
      <section class="pane" aria-label="Arguments" onKeyDown={onKeyDown}>
        <div class="pane-head">
          <button type="button" class="button quiet slim icon back" aria-label="Back to the list" onClick={() => go("prompts", link.id)}><Icon name="back" /></button>
          <h2 class="cut grow">{item.title ?? item.name}</h2>
        </div>
        <form class="pane-body scroll stack gap-wide" onSubmit={(e) => { e.preventDefault(); void submit(); }}>
          {item.description && <p class="muted break">{item.description}</p>}
          {(item.arguments ?? []).length === 0 && <p class="faint">No arguments.</p>}
          {(item.arguments ?? []).map((a) => <Argument key={a.name} link={link} prompt={item.name} argument={a} typed={typed.value} set={set} />)}
          {missing.length > 0 && <p class="small warn">Missing: {missing.map((a) => a.name).join(", ")}</p>}
          <div class="row"><button type="submit" class={"button " + (missing.length > 0 ? "caution" : "primary")}>{missing.length > 0 ? "Get anyway" : "Get prompt"} <kbd>Ctrl ↵</kbd></button></div>
        </form>
      </section>
      <section class="pane" aria-label="Messages">
        <div class="pane-head"><button type="button" class="button quiet slim icon back" aria-label="Back to the arguments" onClick={() => onAsked(false)}><Icon name="back" /></button><h2>Messages</h2></div>
        <div class="pane-body scroll stack gap-wide" tabIndex={0} role="region" aria-label="Prompt messages">
          {got ? (
            <Outcome call={got}>
              <MessageList messages={got.messages ?? []} show={(c) => <BlockOf call={got} content={c} />} />
            </Outcome>
          ) : <Empty icon="prompts" title="No messages yet" />}
        </div>
      </section>
    </>
  );
}

interface ArgumentProps {
  link: Link;
  prompt: string;
  argument: PromptArgument;
  typed: Record<string, string>;
  set: (name: string, value: string | undefined) => void;
}

function Argument({ link, prompt, argument: a, typed, set }: ArgumentProps) {
  const { [a.name]: _, ...context } = typed;
  const complete = link.declares.includes("completions")
    ? (value: string) => post<Completion>(path("links", link.id, "complete"), { prompt, argument: a.name, value, context })
    : undefined;
  const unset = typed[a.name] === undefined;
  return (
    <div class="stack tight">
      <span class="field-name">
        {a.title ?? a.name}
        <span class={a.required ? "required" : "mark"}>{a.required ? "required" : unset ? "omitted" : typed[a.name] === "" ? "empty" : ""}</span>
        {!unset && <button type="button" class="button quiet slim" aria-label={"Unset " + a.name} onClick={() => set(a.name, undefined)}>Unset</button>}
      </span>
      <Combo label={a.name} value={typed[a.name] ?? ""} onInput={(v) => set(a.name, v)} complete={complete} />
      {a.description && <span class="small muted">{a.description}</span>}
    </div>
  );
}
