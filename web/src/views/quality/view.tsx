// Quality: the overview of all checks, each check alone, and how hosts convert a tool.
import { useEffect, useRef } from "preact/hooks";
import type { Link, Operation } from "../../api.gen";
import { Empty } from "../../components/empty";
import { current, hello } from "../../state/links";
import { go, route } from "../../state/route";
import { NotConnected } from "../features/notconnected";
import { CheckPane } from "./checks";
import { Lens } from "./hostview";
import { Overview } from "./overview";
import { sectionOf } from "./sections";

export function QualityView() {
  const link = current.value;
  return link?.state === "open" ? <Quality key={link.id} link={link} /> : <NotConnected link={link} icon="quality" what="quality" />;
}

// Check operations without a severity option.
const others = ["check", "load", "run", "init"];

/** checkOperations lists the operations that return a report. */
export function checkOperations(operations: Operation[]): Operation[] {
  return operations.filter((o) => o.linked && (others.includes(o.name) || o.fields.some((f) => f.name === "severity")));
}

function Quality({ link }: { link: Link }) {
  const operations = hello.value?.operations ?? [];
  const checks = checkOperations(operations);
  const lens = operations.find((o) => o.name === "hosts");
  const [name = "", subject = ""] = split(route.value.item);
  const chosen = name === "hosts" ? lens : (checks.find((o) => o.name === name) ?? checks.find((o) => o.name === "check"));
  if (!chosen) return <Empty icon="quality" title="No checks available" />;
  const choices = <Sections link={link} operations={lens ? [...checks, lens] : checks} chosen={chosen} />;
  if (chosen.name === "check") return <Overview link={link} operation={chosen} choices={choices} />;
  return chosen === lens
    ? <Lens link={link} operation={chosen} tool={subject} choices={choices} />
    : <CheckPane key={chosen.name} link={link} operation={chosen} choices={choices} />;
}

// Sections are the operations to choose from. On a narrow page they are a bar, which scrolls to the chosen one.
function Sections({ link, operations, chosen }: { link: Link; operations: Operation[]; chosen: Operation }) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => nav.current?.querySelector("[aria-current=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [chosen.name]);
  return (
    <nav ref={nav} class="choices" aria-label="Sections">
      {[...operations].sort((a, b) => sectionOf(a).order - sectionOf(b).order).map((o) => (
        <button key={o.name} type="button" class="op-choice" data-section={o.name} aria-current={o === chosen} onClick={() => go("quality", link.id, o.name)}>
          <b>{sectionOf(o).title}</b>
          <span>{sectionOf(o).about}</span>
        </button>
      ))}
    </nav>
  );
}

function split(item: string): string[] {
  const at = item.indexOf("/");
  return at < 0 ? [item] : [item.slice(0, at), item.slice(at + 1)];
}
