// Blocks of content of a result, a prompt or a resource, rendered by type. Nothing in them is executed.
import type { Content } from "../api.gen";
import { send } from "../api/client";
import { useEffect, useState } from "preact/hooks";
import { JsonTree } from "./jsontree";
import { Address, Markdown } from "./markdown";
import { Notice } from "./notice";
import { Segments } from "./segments";
import { save } from "./save";
import { bytes } from "./size";
import { TextView } from "./textview";
import { showError, copy } from "./toasts";

interface Props {
  content: Content;
  at: string; // the route of its bytes, below /api
  onOpen?: (uri: string) => void; // read the resource of a link
}

export function Block({ content, at, onOpen }: Props) {
  return (
    <section class="block" aria-label={name(content)} data-kind={content.kind}>
      {content.problem && <Notice tone="warn">{content.problem}</Notice>}
      <Body content={content} at={at} onOpen={onOpen} />
      {content.annotations_json && <details class="fold"><summary>Annotations</summary><JsonTree text={content.annotations_json} label="Annotations" /></details>}
    </section>
  );
}

function name(c: Content): string {
  return `${c.kind}${c.mime ? ", " + c.mime : ""}, ${bytes(c.size)}`;
}

function Body({ content: c, at, onOpen }: Props) {
  if (c.kind === "link") return <LinkBlock content={c} onOpen={onOpen} />;
  if ((c.kind === "image" || c.mime?.startsWith("image/")) && c.safe) return <Media content={c} at={at} />;
  if ((c.kind === "audio" || c.mime?.startsWith("audio/")) && c.safe) return <Media content={c} at={at} />;
  if (c.text !== undefined) return <TextBlock content={c} text={c.text} />;
  if (c.fetch && (c.format ?? "") !== "") return <Fetched content={c} at={at} />;
  if (c.fetch) return <Download content={c} at={at} />;
  if (c.kind === "text" || (c.kind === "resource" && !c.problem)) return <TextBlock content={c} text="" />;
  return <JsonTree text={c.raw_json ?? "null"} label={name(c)} />;
}

const views: Record<string, { value: string; text: string }[]> = {
  json: [{ value: "rendered", text: "Tree" }, { value: "source", text: "Text" }],
  markdown: [{ value: "rendered", text: "Rendered" }, { value: "source", text: "Source" }],
};

function TextBlock({ content, text }: { content: Content; text: string }) {
  const [view, setView] = useState("rendered");
  const choices = text === "" ? undefined : views[content.format ?? ""];
  return (
    <>
      <div class="block-head">
        <span class="faint small cut">{name(content)}</span>
        {content.uri && <code class="faint cut">{content.uri}</code>}
        <span class="grow" />
        {choices && <Segments label="View" segments={choices} value={view} onChange={setView} />}
        {text !== "" && <button type="button" class="button quiet slim" onClick={() => void copy(text)}>Copy</button>}
      </div>
      {text === "" ? <p class="muted">Empty text.</p>
        : choices && view === "rendered" && content.format === "json" ? <JsonTree text={text} label={name(content)} />
        : choices && view === "rendered" ? <Markdown text={text} /> : <TextView text={text} label={name(content)} />}
    </>
  );
}

function useBytes(at: string): Blob | string | null {
  const [got, setGot] = useState<Blob | string | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    send("GET", at, undefined, stop.signal).then((a) => a.blob()).then(setGot, (e: unknown) => !stop.signal.aborted && setGot(String(e)));
    return () => stop.abort();
  }, [at]);
  return got;
}

function Fetched({ content, at }: { content: Content; at: string }) {
  const got = useBytes(at);
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    if (got instanceof Blob) void got.text().then(setText);
  }, [got]);
  if (typeof got === "string") return <Notice tone="bad">{got}</Notice>;
  return text === null ? <p class="muted">Loading {bytes(content.size)} …</p> : <TextBlock content={content} text={text} />;
}

function Media({ content, at }: { content: Content; at: string }) {
  const got = useBytes(at);
  const [url, setUrl] = useState("");
  const [about, setAbout] = useState("");
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    if (!(got instanceof Blob)) return;
    const reader = new FileReader(); // a data URL: the page's policy allows no other for images
    reader.onload = () => setUrl(String(reader.result).replace(/^data:[^,]*,/, `data:${content.mime};base64,`));
    reader.readAsDataURL(got);
  }, [got]);
  const image = content.kind === "image" || content.mime?.startsWith("image/");
  if (typeof got === "string") return <Notice tone="bad">{got}</Notice>;
  return (
    <figure class="stack">
      <div class="block-head">
        <span class="faint small">{name(content)}{about}</span>
        <span class="grow" />
        {got && <button type="button" class="button quiet slim" onClick={() => save(fileName(content), got)}>Save</button>}
      </div>
      {broken && <Notice tone="warn">Not valid {content.mime}: the browser cannot show it.</Notice>}
      {url !== "" && !broken && image && <div class="mat"><img src={url} alt={`Image from the result, ${content.mime}`} onError={() => setBroken(true)} onLoad={(e) => setAbout(`, ${e.currentTarget.naturalWidth} × ${e.currentTarget.naturalHeight} px`)} /></div>}
      {url !== "" && !broken && !image && <audio controls src={url} onError={() => setBroken(true)} aria-label={`Audio from the result, ${content.mime}`} />}
    </figure>
  );
}

/** fileName is the file name of a block: the last part of its URI, else its kind with the extension of its type. */
function fileName(c: Content): string {
  const last = c.uri?.split(/[/?#]/).findLast((part) => /^[\w-]+\.[\w.-]+$/.test(part));
  return last ?? `${c.kind}.${/^\w+\/([a-z0-9]+)$/.exec(c.mime ?? "")?.[1] ?? "bin"}`;
}

function Download({ content, at }: { content: Content; at: string }) {
  const fetched = async () => save(fileName(content), await (await send("GET", at)).blob());
  return (
    <div class="block-head">
      <span>{name(content)}</span>
      {content.uri && <code class="faint cut">{content.uri}</code>}
      <span class="grow" />
      <button type="button" class="button slim" onClick={() => void fetched().catch(showError)}>Save</button>
    </div>
  );
}

function LinkBlock({ content: c, onOpen }: { content: Content; onOpen?: (uri: string) => void }) {
  return (
    <div class="link-block">
      <div class="row wrap">
        <span class="badge note">resource link</span>
        <strong>{c.title || c.name || c.uri}</strong>
        <span class="grow" />
        {onOpen && c.uri && <button type="button" class="button slim" onClick={() => onOpen(c.uri!)}>Read</button>}
      </div>
      {c.description && <p class="muted">{c.description}</p>}
      {c.uri && <Address uri={c.uri} />}
      {c.mime && <span class="faint small">{c.mime}</span>}
    </div>
  );
}
