// A tool by its name, as a link to its form.
import type { Link } from "../../api.gen";
import { href } from "../../state/route";

export function ToolLink({ link, name, strong = false }: { link: Link; name: string; strong?: boolean }) {
  const shown = strong ? <b>{name}</b> : name;
  return <a class="mono small break" href={href("tools", link.id, name)}>{shown}</a>;
}
