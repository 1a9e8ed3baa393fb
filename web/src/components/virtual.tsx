// Rows of equal height, of which only visible ones are in the document. They scroll with the nearest .scroll ancestor,
// so that long content has no separate scroll bar.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

interface Props {
  count: number;
  height: number; // of one row
  row: (index: number) => ComponentChildren;
  reveal?: number; // a row to scroll to when it changes
}

const beyond = 12;
const tallest = 30_000_000; // browsers fail above 33 million pixels

export function VirtualRows({ count, height, row, reveal = -1 }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState<[number, number]>([0, Math.min(count, 60)]);
  const shown = Math.min(count, Math.floor(tallest / height));

  const measure = () => {
    const el = box.current!;
    const scroller = el.closest(".scroll");
    if (!scroller) return;
    const above = scroller.getBoundingClientRect().top - el.getBoundingClientRect().top;
    const first = Math.max(0, Math.floor(above / height) - beyond);
    const last = Math.min(shown, Math.ceil((above + scroller.clientHeight) / height) + beyond);
    setRange((old) => (old[0] === first && old[1] === last ? old : [first, last]));
  };

  useLayoutEffect(() => {
    const scroller = box.current!.closest(".scroll");
    if (!scroller) return;
    const sizes = new ResizeObserver(measure);
    sizes.observe(scroller);
    if (box.current!.parentElement) sizes.observe(box.current!.parentElement);
    scroller.addEventListener("scroll", measure, { passive: true });
    measure();
    return () => {
      sizes.disconnect();
      scroller.removeEventListener("scroll", measure);
    };
  }, [shown, height]);

  useLayoutEffect(() => {
    if (reveal < 0) return;
    const el = box.current!;
    const scroller = el.closest(".scroll");
    if (!scroller) return;
    const above = scroller.getBoundingClientRect().top - el.getBoundingClientRect().top;
    const top = reveal * height;
    if (top < above) scroller.scrollTop += top - above;
    else if (top + height > above + scroller.clientHeight) scroller.scrollTop += top + height - above - scroller.clientHeight;
    measure();
  }, [reveal]);

  const rows = [];
  for (let i = range[0]; i < Math.min(range[1], shown); i++) {
    rows.push(
      <div key={i} class="vrow" style={{ top: i * height + "px", height: height + "px" }} role="presentation">
        {row(i)}
      </div>,
    );
  }
  return (
    <div ref={box} class="vrows" style={{ height: shown * height + "px" }} role="presentation">
      {rows}
    </div>
  );
}
