// What a view shows that needs an open connection and has none.
import type { Link } from "../../api.gen";
import { Empty } from "../../components/empty";
import type { IconName } from "../../components/icon";
import { stateWord } from "../../components/state";
import { href } from "../../state/route";

export function Unopened({ link, icon, what }: { link: Link | null; icon: IconName; what: string }) {
  if (!link) return <Empty icon={icon} title="No connection"><p>Connect to a server to see its {what}.</p><a class="button" href={href("servers")}>Servers</a></Empty>;
  return (
    <Empty icon={icon} title={link.name + " is " + stateWord(link)}>
      <p>{link.error?.message ?? `Its ${what} can be seen while it is connected.`}</p>
      <a class="button" href={href("servers")}>Servers</a>
    </Empty>
  );
}
