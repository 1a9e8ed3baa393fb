// What a new connection is waiting for, and for how long: "starting: npx, 14 s".
import { useEffect, useState } from "preact/hooks";
import type { Link } from "../../api.gen";

export function Starting({ link }: { link: Link }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.round((now - Date.parse(link.since)) / 1000));
  return <span class="tabular" data-testid="starting">{what(link)}, {seconds} s</span>;
}

function what(link: Link): string {
  if (/^https?:/.test(link.address)) return "connecting: " + link.address;
  const program = link.address.split(" ", 1)[0] ?? link.name;
  return "starting: " + (program.split(/[\\/]/).pop() || link.name);
}
