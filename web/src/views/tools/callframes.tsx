// The frames of one call, in order, each with its bytes.
import { useEffect, useState } from "preact/hooks";
import type { Call, Frame, FrameDetail, Frames } from "../../api.gen";
import { get, path } from "../../api/client";
import { JsonTree } from "../../components/jsontree";
import { bytes, duration } from "../../components/size";
import { TextView } from "../../components/textview";
import { showError } from "../../components/toasts";
import { href } from "../../state/route";

export function CallFrames({ call }: { call: Call }) {
  const [frames, setFrames] = useState<Frame[]>([]);
  useEffect(() => {
    get<Frames>(path("links", call.link, "frames") + "?call=" + call.n).then((f) => setFrames(f.frames), showError);
  }, [call.link, call.n, call.status, call.frames.length]);
  return <ol class="frames">{frames.map((f) => <FrameRow key={f.seq} link={call.link} frame={f} />)}</ol>;
}

function FrameRow({ link, frame }: { link: string; frame: Frame }) {
  const [open, setOpen] = useState(true);
  return (
    <li class={"frame " + frame.from}>
      <div class="frame-head">
        <button type="button" class="frame-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
          <span class="arrow" role="img" aria-label={"from " + frame.from}>{frame.from === "client" ? "→" : "←"}</span>
          <span class="cut">{frame.kind === "request" || frame.kind === "notification" ? frame.method : frame.kind}</span>
        </button>
        <span class="grow" />
        {frame.elapsed_ns !== undefined && <span class="small muted tabular">{duration(frame.elapsed_ns)}</span>}
        <span class="small faint tabular">{bytes(frame.size)}</span>
        <a class="small tabular" href={href("wire", link, String(frame.seq))}>#{frame.seq}</a>
      </div>
      {open && <FrameBody link={link} seq={frame.seq} />}
    </li>
  );
}

function FrameBody({ link, seq }: { link: string; seq: number }) {
  const [frame, setFrame] = useState<FrameDetail | null>(null);
  useEffect(() => {
    get<FrameDetail>(path("links", link, "frames", seq)).then(setFrame, showError);
  }, [link, seq]);
  if (!frame) return null;
  if (frame.pretty) return <JsonTree text={frame.pretty} label={"Frame " + seq} />;
  if (frame.body) return <TextView text={frame.body} label={"Frame " + seq} />;
  return <p class="small muted">{frame.fetch ? "Too large to show here. Open it in the Wire view." : "No body."}</p>;
}
