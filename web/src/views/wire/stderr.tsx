// What a process writes to its standard error, as it comes.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Link, Stderr as Written } from "../../api.gen";
import { get, path } from "../../api/client";
import { on } from "../../api/events";
import { Empty } from "../../components/empty";
import { TextView } from "../../components/textview";

export function Stderr({ link }: { link: Link }) {
  const [written, setWritten] = useState<Written | null>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const load = () => void get<Written>(path("links", link.id, "stderr")).then(setWritten, () => undefined);
    load();
    return on("stderr", (e) => e.link === link.id && load());
  }, [link.id]);
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [written?.total]);
  if (!written) return <div class="scroll grow" aria-busy="true" />;
  return (
    <div ref={box} class="scroll grow" tabIndex={0} role="region" aria-label="Standard error">
      {written.text === "" ? (
        <Empty icon="terminal" title="Nothing on stderr"><p>{link.transport === "stdio" ? "The process has written nothing to its standard error." : "Only a process has a standard error; this connection has none."}</p></Empty>
      ) : (
        <div class="stderr-text"><TextView text={written.text} label="Standard error" /></div>
      )}
    </div>
  );
}
