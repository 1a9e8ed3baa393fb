// A JSON input: a plain text area until the editor is loaded, which then takes over with the same text.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Editor as Opened } from "../editor/codemirror";

interface Props {
  label: string;
  value: string;
  onInput: (text: string) => void;
}

type Module = typeof import("../editor/codemirror");

let loaded: Module | null = null;

// loadEditor fetches the editor, at its first use.
async function loadEditor(): Promise<Module> {
  loaded ??= await import("../editor/codemirror");
  return loaded;
}

export function JsonEditor(props: Props) {
  const [ready, setReady] = useState(loaded);
  useEffect(() => {
    let here = true;
    if (!ready) void loadEditor().then((m) => here && setReady(m), () => undefined);
    return () => void (here = false);
  }, []);
  if (ready) return <Full {...props} module={ready} />;
  return <textarea class="input mono json-plain" aria-label={props.label} spellcheck={false} rows={8} value={props.value} onInput={(e) => props.onInput(e.currentTarget.value)} />;
}

function Full({ label, value, onInput, module }: Props & { module: Module }) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Opened | null>(null);
  const tell = useRef(onInput);
  tell.current = onInput;
  useLayoutEffect(() => {
    const opened = module.open(host.current!, { label, text: value, onChange: (text) => tell.current(text) });
    editor.current = opened;
    return () => opened.destroy();
  }, [label]);
  useLayoutEffect(() => {
    if (editor.current && editor.current.text() !== value) editor.current.replace(value);
  }, [value]);
  return <div ref={host} class="json-editor" data-editor={label} />;
}
