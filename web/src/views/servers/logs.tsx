// The log messages of a server, and the requested level.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Link, LogEntry, Logs } from "../../api.gen";
import { get, path } from "../../api/client";
import { on } from "../../api/events";
import { clock, plural } from "../../components/size";
import { showError } from "../../components/toasts";
import { countsOf, hello } from "../../state/links";
import { href } from "../../state/route";
import { ask } from "../features/call";

const most = 200; // messages shown; the timeline has all

export function LogView({ link }: { link: Link }) {
  const got = useSignal<LogEntry[]>([]);
  const box = useRef<HTMLOListElement>(null);
  useEffect(() => {
    let asking = false;
    let again = false;
    const load = async () => {
      again = asking;
      if (asking) return;
      asking = true;
      got.value = await get<Logs>(path("links", link.id, "logs")).then((l) => l.entries, () => got.value);
      asking = false;
      if (again) void load();
    };
    if (countsOf(link).logs > 0) void load();
    return on("log", (e) => e.link === link.id && void load());
  }, [link.id]);
  const all = got.value;
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [all.at(-1)?.frame]);
  const declared = link.state === "open" && link.declares.includes("logging");
  if (all.length === 0 && !declared) return null;
  return (
    <details class="fold" open={all.length > 0} data-testid="logs">
      <summary>{all.length === 0 ? "No log messages yet" : plural(Math.max(all.length, countsOf(link).logs), "log message")}</summary>
      <div class="stack">
        {declared && (link.era === "legacy" ? <Level link={link} /> : <p class="small muted">{link.log_level ? `Level: ${link.log_level} and above.` : "Log messages are off. Choose a level in the connection options."}</p>)}
        {all.length > most && <p class="small muted">The last {most} messages. See <a href={href("wire", link.id)}>Wire</a> for all.</p>}
        {all.length > 0 && (
          <ol ref={box} class="logs" tabIndex={0} aria-label="Log messages">
            {all.slice(-most).map((e) => <Entry key={e.frame} link={link.id} entry={e} />)}
          </ol>
        )}
      </div>
    </details>
  );
}

const tones: Record<string, string> = { notice: "note", warning: "warn", error: "bad", critical: "bad", alert: "bad", emergency: "bad" };

function Entry({ link, entry: e }: { link: string; entry: LogEntry }) {
  return (
    <li>
      <a class="faint tabular" href={href("wire", link, String(e.frame))} title={"Frame " + e.frame}>{clock(e.time)}</a>
      <span class={"badge " + (tones[e.level] ?? "")}>{e.level || "no level"}</span>
      <span class="break">{e.logger && <span class="muted">{e.logger}: </span>}{e.text}</span>
    </li>
  );
}

// Level sets the log level, in revisions that have a request for it.
function Level({ link }: { link: Link }) {
  const level = useSignal(link.log_level ?? "");
  const set = async (to: string) => {
    const { verdicts } = await ask(link.id, { method: "logging/setLevel", params_json: JSON.stringify({ level: to }) });
    const refused = verdicts?.rpc?.message ?? verdicts?.transport?.message;
    if (refused) throw new Error("Log level not changed: " + refused);
    level.value = to;
  };
  const choose = (box: HTMLSelectElement) =>
    void set(box.value).catch((problem: unknown) => {
      box.value = level.value;
      showError(problem);
    });
  return (
    <label class="row small">
      <span class="muted">Level</span>
      <select class="input level" aria-label="Log level" value={level.value} onChange={(e) => choose(e.currentTarget)}>
        <option value="" disabled>server default</option>
        {(hello.value?.log_levels ?? []).map((l) => <option key={l} value={l}>{l} and above</option>)}
      </select>
    </label>
  );
}
