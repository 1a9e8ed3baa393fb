// The line above a view that says that the server changed since the user last connected.
import type { ComponentType } from "preact";
import { useState } from "preact/hooks";
import type { Link } from "../../api.gen";
import { path, remove } from "../../api/client";
import { Icon } from "../../components/icon";
import { showError } from "../../components/toasts";

/** dismiss compares later connections with the present state. */
export async function dismiss(link: Link): Promise<void> {
  await remove(path("links", link.id, "changes"));
}

type Details = ComponentType<{ link: Link; onClose: () => void }>;

export function ChangesBanner({ link }: { link: Link }) {
  const [details, setDetails] = useState<{ show: Details } | null>(null);
  const { since, items, breaking, suspicious } = link.changes!;
  const show = () => void import("../rare").then((m) => setDetails({ show: m.ChangesDialog }), showError);
  const Dialog = details?.show;
  return (
    <div class={"changes-banner" + (breaking || suspicious ? " bad" : "")} role="status">
      <Icon name="alert" />
      <span class="grow">
        <b>Changed since you last connected</b> ({new Date(since).toLocaleString()}): {items} {items === 1 ? "definition" : "definitions"}
        {breaking > 0 && <>, <b>{breaking} breaking</b></>}{suspicious > 0 && <>, <b>{suspicious} suspicious</b></>}
      </span>
      <button type="button" class="button slim" onClick={show}>Show changes</button>
      <button type="button" class="button slim quiet" onClick={() => void dismiss(link).catch(showError)}>Dismiss</button>
      {Dialog && <Dialog link={link} onClose={() => setDetails(null)} />}
    </div>
  );
}
