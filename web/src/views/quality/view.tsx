// Quality: all check operations, from the list of operations, and how hosts convert a tool.
import type { Link, Operation } from "../../api.gen";
import { Empty } from "../../components/empty";
import { current, hello } from "../../state/links";
import { go, route } from "../../state/route";
import { NotConnected } from "../features/notconnected";
import { Judging } from "./checks";
import { Lens } from "./hostview";

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
  const judging = checkOperations(operations);
  const lens = operations.find((o) => o.name === "hosts");
  const [name = "", subject = ""] = split(route.value.item);
  const chosen = name === "hosts" ? lens : (judging.find((o) => o.name === name) ?? judging[0]);
  if (!chosen) return <Empty icon="quality" title="No checks available" />;
  const choices = (
    <nav class="stack tight choices" aria-label="Operations">
      {[...judging, ...(lens ? [lens] : [])].map((o) => (
        <button key={o.name} type="button" class="op-choice" aria-current={o === chosen} onClick={() => go("quality", link.id, o.name)}>
          <b>{o === lens ? "Hosts" : o.name}</b>
          <span>{o.title}</span>
        </button>
      ))}
    </nav>
  );
  return chosen === lens
    ? <Lens link={link} operation={chosen} tool={subject} choices={choices} />
    : <Judging key={chosen.name} link={link} operation={chosen} choices={choices} />;
}

function split(item: string): string[] {
  const at = item.indexOf("/");
  return at < 0 ? [item] : [item.slice(0, at), item.slice(at + 1)];
}
