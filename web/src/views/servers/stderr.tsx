// The stderr of a process.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Stderr } from "../../api.gen";
import { get, path } from "../../api/client";
import { on } from "../../api/events";
import { bytes } from "../../components/size";

export function StderrView({ link, size }: { link: string; size: number }) {
  const [got, setGot] = useState<Stderr | null>(null);
  const box = useRef<HTMLPreElement>(null);
  useEffect(() => {
    let asking = false;
    let again = false;
    const load = async () => {
      again = asking;
      if (asking) return;
      asking = true;
      setGot(await get<Stderr>(path("links", link, "stderr")).catch(() => null));
      asking = false;
      if (again) void load();
    };
    void load();
    return on("stderr", (e) => e.link === link && void load());
  }, [link]);
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [got?.total]);
  if (!got || got.text === "") return <p class="small faint">No stderr output.</p>;
  return (
    <details class="fold" open>
      <summary>stderr, {bytes(Math.max(size, got.total))}</summary>
      <pre ref={box} class="stderr" tabIndex={0} aria-label="stderr">{got.text}</pre>
    </details>
  );
}
