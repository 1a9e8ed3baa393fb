// The icons, drawn on a grid of 16 with one stroke.

const shapes = {
  servers: "M2.5 3.5h11v3.5h-11zM2.5 9h11v3.5h-11zM5 5.25h.01M5 10.75h.01",
  tools: "M9.5 2.5a3.2 3.2 0 0 0-3 4.4L2.6 10.8a1.5 1.5 0 0 0 2.1 2.1L8.6 9a3.2 3.2 0 0 0 4.3-3.9L11 7 9 5l1.9-1.9a3.2 3.2 0 0 0-1.4-.6z",
  resources: "M4 1.75h5l3.25 3.25v9.25H4zM9 1.75V5h3.25M6.25 8.25h4M6.25 10.75h4",
  prompts: "M2.5 3h11v8h-6l-3 2.75V11h-2zM5.25 6h5.5M5.25 8.25h3.5",
  wire: "M1.5 5.5h10M9 2.75l2.75 2.75L9 8.25M14.5 10.5h-10M7 7.75 4.25 10.5 7 13.25",
  quality: "M8 1.75l5 2v4c0 3.2-2.1 5.4-5 6.5-2.9-1.1-5-3.3-5-6.5v-4zM5.75 8 7.4 9.6l3-3.2",
  gateway: "M2 8h3.5M10.5 3.5H14M10.5 8H14M10.5 12.5H14M5.5 8c3 0 2-4.5 5-4.5M5.5 8c3 0 2 4.5 5 4.5M5.5 8h5",
  auth: "M6 10a3 3 0 1 1 2.6-1.5l5 5M11.5 11.5l1.5-1.5M5.5 7h.01",
  questions: "M2.5 2.75h11v10.5h-11zM5 6h.01M7.5 6h3.5M5 10h.01M7.5 10h3.5",
  tasks: "M2.5 4l1.25 1.25L6 3M2.5 11l1.25 1.25L6 10M8.5 4.5h5M8.5 11.5h5",
  roots: "M1.75 3.5h4.5l1.5 1.75h6.5v7.25H1.75z",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.75 10.75 14 14",
  close: "M4 4l8 8M12 4l-8 8",
  check: "M3 8.5 6.5 12 13 4.5",
  plus: "M8 3v10M3 8h10",
  up: "M8 13V3M4 7l4-4 4 4",
  down: "M8 3v10M4 9l4 4 4-4",
  caret: "M6 4l4 4-4 4",
  back: "M13 8H3M7 4 3 8l4 4",
  play: "M4.5 2.75v10.5L13 8z",
  stop: "M4 4h8v8H4z",
  compare: "M2.5 3h4.5v10H2.5zM9 3h4.5v10H9zM4.75 6h.01M4.75 8.5h.01M11.25 6h.01",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  sun: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3.05 3.05l1.1 1.1M11.85 11.85l1.1 1.1M3.05 12.95l1.1-1.1M11.85 4.15l1.1-1.1",
  help: "M8 14.25A6.25 6.25 0 1 0 8 1.75a6.25 6.25 0 0 0 0 12.5zM6.2 6.2a1.85 1.85 0 1 1 2.6 1.7c-.5.3-.8.6-.8 1.2M8 11.3h.01",
  alert: "M8 2 14.5 13.5h-13zM8 6.5v3M8 11.5h.01",
  info: "M8 14.25A6.25 6.25 0 1 0 8 1.75a6.25 6.25 0 0 0 0 12.5zM8 7.5v3.25M8 5.25h.01",
  clock: "M8 14.25A6.25 6.25 0 1 0 8 1.75a6.25 6.25 0 0 0 0 12.5zM8 4.5V8l2.25 1.5",
  star: "M8 1.9l1.85 3.9 4.25.55-3.1 2.95.8 4.2L8 11.45 4.2 13.5l.8-4.2L1.9 6.35l4.25-.55z",
  bolt: "M9 1.5 3 9h4.5L7 14.5 13 7H8.5z",
  wand: "M3 13 10 6M12 1.75v3M10.5 3.25h3M5 2.5v2M4 3.5h2M12.5 9v2M11.5 10h2",
  reload: "M13.5 8A5.5 5.5 0 1 1 11.6 3.85M13.5 2v3h-3",
  power: "M8 1.75V8M4.3 4.1a5.25 5.25 0 1 0 7.4 0",
  trash: "M2.5 4h11M6 4V2.5h4V4M4 4l.6 9.5h6.8L12 4",
  menu: "M2.5 4h11M2.5 8h11M2.5 12h11",
  more: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  link: "M6.5 9.5l3-3M7 4.5l1.5-1.5a3 3 0 0 1 4.25 4.25L11.25 8.75M9 11.5 7.5 13a3 3 0 0 1-4.25-4.25L4.75 7.25",
  terminal: "M2 2.75h12v10.5H2zM4.5 6l2 2-2 2M8.5 10.25h3",
  globe: "M8 14.25A6.25 6.25 0 1 0 8 1.75a6.25 6.25 0 0 0 0 12.5zM1.75 8h12.5M8 1.75c3.5 3.6 3.5 8.9 0 12.5M8 1.75c-3.5 3.6-3.5 8.9 0 12.5",
  download: "M8 2v8.5M4.5 7.25 8 10.5l3.5-3.25M2.5 13.5h11",
  upload: "M8 10.5V2M4.5 5.25 8 2l3.5 3.25M2.5 13.5h11",
} as const;

export type IconName = keyof typeof shapes;

/** Icon is decorative: the control next to it has the label. */
export function Icon({ name, class: extra = "" }: { name: IconName; class?: string }) {
  return (
    <svg class={"icon-glyph " + extra} viewBox="0 0 16 16" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  );
}
