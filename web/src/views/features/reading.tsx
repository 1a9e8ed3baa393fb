// The content of a resource, and its subscription.
import { useEffect } from "preact/hooks";
import type { Item, Link } from "../../api.gen";
import { path, post, remove } from "../../api/client";
import { on } from "../../api/events";
import { Icon } from "../../components/icon";
import { Notice } from "../../components/notice";
import { showError } from "../../components/toasts";
import { go } from "../../state/route";
import { clock, plural } from "../../components/size";
import { useCall } from "./call";
import { Blocks, Outcome } from "./outcome";

export function Reading({ link, uri, about, onBack = () => go("resources", link.id) }: { link: Link; uri: string; about?: Item; onBack?: () => void }) {
  const { call, run } = useCall(link.id);
  const read = () => void run({ method: "resources/read", name: uri });
  useEffect(read, [uri]);
  useEffect(() => on("resource_updated", (e) => e.link === link.id && e.uri === uri && read()), [link.id, uri]);
  const got = call.value;
  return (
    <section class="pane" aria-label="Content">
      <div class="pane-head">
        <button type="button" class="button quiet slim icon back" aria-label="Back" onClick={onBack}><Icon name="back" /></button>
        <h2 class="cut grow">{about?.title ?? about?.label ?? "Resource"}</h2>
        <Follow link={link} uri={uri} />
        <button type="button" class="button slim" onClick={read}><Icon name="reload" />Read again</button>
      </div>
      <div class="pane-body scroll stack gap-wide" tabIndex={0} role="region" aria-label="Resource content">
        <div class="uri uri-line">{uri}</div>
        {about?.description && <p class="muted break">{about.description}</p>}
        <SubscriptionStatus link={link} uri={uri} />
        {got && <Outcome call={got}><Blocks call={got} /></Outcome>}
      </div>
    </section>
  );
}

function Follow({ link, uri }: { link: Link; uri: string }) {
  const followed = link.subscriptions.some((s) => s.uri === uri && s.state !== "ended");
  const change = () => (followed
    ? remove(path("links", link.id, "subscriptions") + "?uri=" + encodeURIComponent(uri))
    : post(path("links", link.id, "subscriptions"), { uri })).catch(showError);
  return <button type="button" class="button slim" aria-pressed={followed} onClick={() => void change()}>{followed ? "Subscribed" : "Subscribe"}</button>;
}

function SubscriptionStatus({ link, uri }: { link: Link; uri: string }) {
  const s = link.subscriptions.find((one) => one.uri === uri);
  if (!s) return null;
  if (s.problem) return <Notice tone="bad">{s.problem.message}</Notice>;
  return <p class="small muted" role="status" data-updates={s.updates}>{s.state === "open" ? "Subscribed" : s.state}: {s.updates === 0 ? "no updates yet" : `${plural(s.updates, "update")}, last at ${clock(s.last ?? "")}`}.</p>;
}
