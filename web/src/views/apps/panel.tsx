// The view of a tool, and what happens between it and the page.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { App, Blocked, Call, Item, Link } from "../../api.gen";
import { path, post, send } from "../../api/client";
import { on } from "../../api/events";
import type { AppReply } from "../../api.gen";
import { Icon } from "../../components/icon";
import { Notice } from "../../components/notice";
import { Segments } from "../../components/segments";
import { bytes, plural } from "../../components/size";
import { Tabs } from "../../components/tabs";
import { BlockedList } from "./blocked";
import { themeNow, type Shown } from "./context";
import { closeFrame, openFrame } from "./frame";
import type { Host } from "./host";
import { MessageList } from "./messages";
import { Policy, type Chosen } from "./policy";
import type { Mode, Theme } from "./protocol";
import { ResultEditor } from "./resend";
import { tallest } from "./size";

interface Props {
  link: Link;
  tool: Item;
  call: Call; // whose arguments and result the view shows
}

export function AppPanel({ link, tool, call }: Props) {
  const [app, setApp] = useState<App | null>(null);
  const [failure, setFailure] = useState("");
  const [opened, setOpened] = useState(0);
  const [reference, setReference] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    setFailure("");
    setApp(null);
    post<App>(path("links", link.id, "apps"), { tool: tool.name, reference }, stop.signal).then(setApp, (e: Error) => !stop.signal.aborted && setFailure(e.message));
    return () => stop.abort();
  }, [link.id, tool.name, call.n, opened, reference]);
  if (failure) return <Notice tone="bad" role="alert">{failure}</Notice>;
  if (!app) return <p class="muted" role="status">Loading the view …</p>;
  return <OpenView key={app.id} link={link} app={app} call={call} reference={reference} onReference={setReference} onReload={() => setOpened(opened + 1)} />;
}

/** resultOf reads the result of a call, byte for byte as the server sent it. */
async function resultOf(call: Call): Promise<string> {
  const text = await (await send("GET", path("links", call.link, "calls", call.n, "raw"))).text();
  const answer = JSON.parse(text) as { result?: unknown; error?: { message?: string } };
  return JSON.stringify(answer.result ?? { content: [{ type: "text", text: answer.error?.message ?? "" }], isError: true }, null, 2);
}

interface Asked {
  url: string;
  answer: (yes: boolean) => void;
}

interface ViewProps extends Chosen {
  link: Link;
  app: App;
  call: Call;
  onReload: () => void;
}

function OpenView({ link, app, call, reference, onReference, onReload }: ViewProps) {
  const place = useRef<HTMLDivElement>(null);
  const host = useRef<Host | null>(null);
  const shown = useRef<Shown>({ theme: themeNow(), mode: "inline", width: 0, maxHeight: tallest });
  const [, redraw] = useState(0);
  const [narrow, setNarrow] = useState(false);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [blocked, setBlocked] = useState<Blocked[]>(app.blocked);
  const [result, setResult] = useState("");
  const [tab, setTab] = useState("messages");
  const [ended, setEnded] = useState(false);

  const change = (next: Partial<Shown>) => {
    shown.current = { ...shown.current, ...next };
    redraw((n) => n + 1);
    requestAnimationFrame(() => host.current?.contextChanged());
  };
  useLayoutEffect(() => {
    let queued = false;
    const draw = () => {
      if (queued) return;
      queued = true;
      requestAnimationFrame(() => { queued = false; redraw((n) => n + 1); });
    };
    shown.current.width = place.current!.clientWidth;
    let waiting = false;
    const h = openFrame(place.current!, app, {
      shown: () => shown.current,
      request: (method, params_json) => post<AppReply>(path("links", link.id, "apps", app.id, "requests"), { method, params_json }),
      openLink: (url) => {
        if (waiting) return Promise.resolve(false); // one question at a time
        waiting = true;
        return new Promise((resolve) => setAsked({ url, answer: (yes) => { waiting = false; setAsked(null); resolve(yes); } }));
      },
      setMode: (mode) => change({ mode }),
      ended: () => void h.end().then(() => setEnded(true)),
      changed: draw,
    });
    host.current = h;
    resultOf(call).then((text) => {
      setResult(text);
      h.deliver(JSON.parse(call.arguments_json || "{}"), JSON.parse(text));
    }, () => undefined);
    return () => void closeFrame(h, link.id);
  }, []);
  useEffect(() => on("app", (e) => e.app?.id === app.id && setBlocked(e.app.blocked)), []);
  useLayoutEffect(() => {
    const frame = place.current!.querySelector("iframe");
    if (frame) frame.style.height = shown.current.mode === "fullscreen" ? "100%" : (host.current?.size.height || 240) + "px";
    if (place.current!.clientWidth !== shown.current.width) change({ width: place.current!.clientWidth });
  });
  const h = host.current;
  return (
    <div class={"app-panel" + (shown.current.mode === "fullscreen" ? " full" : "")} data-phase={h?.phase} data-testid="app">
      <Toolbar app={app} host={h} shown={shown.current} narrow={narrow} onTheme={(theme) => change({ theme })} onMode={(mode) => change({ mode })} onNarrow={setNarrow} onReload={onReload} />
      {asked && (
        <div class="row wrap app-ask" role="alertdialog" aria-label="The view asks to open a link">
          <span class="grow break">The view asks to open <code>{asked.url}</code></span>
          <a class="button slim" href={asked.url} target="_blank" rel="noopener noreferrer" onClick={() => asked.answer(true)}>Open</a>
          <button type="button" class="button slim" onClick={() => asked.answer(false)}>Deny</button>
        </div>
      )}
      {reference && <Notice>Shown with the policy of the reference host. Hosts that follow the specification allow less.</Notice>}
      {ended && <Notice>The view has requested its end.</Notice>}
      {h?.size.locked && <Notice tone="warn">The height of the view does not settle: it changed more than 30 times in 3 seconds. Do not derive it from the height of the frame, such as 100vh.</Notice>}
      {[...app.problems, ...(h?.faults ?? [])].map((p) => <Notice key={p} tone="warn">{p}</Notice>)}
      {h && h.dropped > 0 && <Notice tone="warn">{plural(h.dropped, "message")} of the view dropped: too many or too large.</Notice>}
      <div ref={place} class={"app-place" + (narrow ? " narrow" : "")} data-theme={shown.current.theme} />
      <div class="app-log">
        <Tabs label="View details" selected={tab} onSelect={setTab} tabs={[{ id: "messages", title: "Messages", count: h?.logged }, { id: "blocked", title: "Blocked loads", count: blocked.length }, { id: "resend", title: "Change the result" }, { id: "policy", title: "Policy" }]} />
        {tab === "messages" && h && <MessageList entries={h.entries} total={h.logged} />}
        {tab === "blocked" && <BlockedList blocked={blocked} uri={app.uri} />}
        {tab === "resend" && result !== "" && <ResultEditor text={result} onChange={setResult} ready={h?.phase === "initialized"} onSend={(value) => h?.deliver(null, value)} onCancel={() => h?.cancelled("cancelled by the tester")} />}
        {tab === "policy" && <Policy text={app.policy} reference={reference} onReference={onReference} />}
      </div>
    </div>
  );
}

interface BarProps {
  app: App;
  host: Host | null;
  shown: Shown;
  narrow: boolean;
  onTheme: (theme: Theme) => void;
  onMode: (mode: Mode) => void;
  onNarrow: (narrow: boolean) => void;
  onReload: () => void;
}

const words = { loading: "loading", loaded: "waiting for ui/initialize", initialized: "initialized", ended: "ended" };

function Toolbar({ app, host, shown, narrow, onTheme, onMode, onNarrow, onReload }: BarProps) {
  const full = shown.mode === "fullscreen";
  return (
    <div class="row wrap app-bar">
      <code class="cut grow" title={app.uri}>{app.uri}</code>
      <span class="small faint tabular">{bytes(app.bytes)}</span>
      <span class={"badge " + (host?.phase === "initialized" ? "good" : "note")}>{words[host?.phase ?? "loading"]}</span>
      <span class="small muted tabular" data-testid="app-size">{host && host.size.reports > 0 ? `${host.size.height} px` : "no size reported"}</span>
      <Segments label="Theme of the view" value={shown.theme} onChange={(t) => onTheme(t as Theme)} segments={[{ value: "light", text: "Light" }, { value: "dark", text: "Dark" }]} />
      <Segments label="Width of the view" value={narrow ? "320" : "full"} onChange={(w) => onNarrow(w === "320")} segments={[{ value: "full", text: "Full" }, { value: "320", text: "320 px" }]} />
      <button type="button" class="button quiet slim" aria-pressed={full} onClick={() => onMode(full ? "inline" : "fullscreen")}>{full ? "Exit full screen" : "Full screen"}</button>
      <button type="button" class="button quiet slim" onClick={onReload}><Icon name="reload" /> Reload</button>
    </div>
  );
}
