// The resources of a connection: listed resources, templates, and subscriptions.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Item, Link } from "../../api.gen";
import { Empty } from "../../components/empty";
import { Filter, matches } from "../../components/filter";
import { List } from "../../components/list";
import { Notice } from "../../components/notice";
import { plural } from "../../components/size";
import { Tabs } from "../../components/tabs";
import { useCommands } from "../../state/commands";
import { current } from "../../state/links";
import { go, route } from "../../state/route";
import { useItems } from "./items";
import { Reading } from "./reading";
import { Template } from "./template";
import { NotConnected, emptyReason } from "./notconnected";

export function ResourcesView() {
  const link = current.value;
  return link?.state === "open" ? <Resources key={link.id} link={link} /> : <NotConnected link={link} icon="resources" what="resources" />;
}

function Resources({ link }: { link: Link }) {
  const resources = useItems(link, "resources").list;
  const templates = useItems(link, "templates").list;
  const filter = useSignal("");
  const item = route.value.item; // the URI of a resource or a template
  const tab = useSignal("resources");
  const reading = useSignal(""); // the template whose resource is shown on a narrow page
  const template = templates.value?.items.find((t) => t.name === item);
  useEffect(() => {
    if (template) tab.value = "templates";
  }, [template?.name]);
  const followed = link.subscriptions.map((s): Item => ({ name: s.uri, label: resources.value?.items.find((r) => r.name === s.uri)?.label, description: plural(s.updates, "update"), raw_json: "", frame: 0, form: false, output: false }));
  const items = { resources: resources.value?.items ?? [], templates: templates.value?.items ?? [], followed }[tab.value] ?? [];
  useCommands(() => (resources.value?.items ?? []).map((i) => ({ title: i.title ?? i.label ?? i.name, where: "Resource", icon: "resources", run: () => go("resources", link.id, i.name) })));
  const list = tab.value === "templates" ? templates.value : resources.value;
  const shown = items.filter((i) => matches(filter.value, `${i.name} ${i.label ?? ""} ${i.title ?? ""}`));
  return (
    <div class={"panes offer" + (template ? "" : " two")} data-front={!item ? "0" : template && reading.value === item ? "2" : "1"}>
      <section class="pane" aria-label="Resources">
        <div class="pane-head">
          <Tabs label="Kinds" selected={tab.value} onSelect={(id) => (tab.value = id)} tabs={[
            { id: "resources", title: "Listed", count: resources.value?.items.length },
            { id: "templates", title: "Templates", count: templates.value?.items.length },
            { id: "followed", title: "Subscribed", count: followed.length },
          ]} />
        </div>
        <div class="pane-head"><Filter label="Filter resources" value={filter.value} onInput={(v) => (filter.value = v)} count={String(items.length)} /></div>
        <div class="scroll grow">
          {shown.length === 0 && list && <Empty icon="resources" title="No resources"><p>{tab.value === "followed" ? "Subscribe to a resource to see its updates here." : tab.value === "templates" && !list.refused ? "The server has no templates." : emptyReason(link, "resources", list.refused)}</p></Empty>}
          <List id="resources" label="Resources" items={shown} keyOf={(i) => i.name} selected={item} height={42} onSelect={(name) => go("resources", link.id, name)}
            row={(i) => (
              <span class="stack none grow">
                <span class="name cut">{i.title ?? i.label ?? i.name}</span>
                <span class="sub cut">{i.name}{i.mime_type ? " · " + i.mime_type : ""}{tab.value === "followed" ? " · " + i.description : ""}</span>
              </span>
            )} />
        </div>
        {list?.problems.map((p) => <Notice key={p} tone="warn">{p}</Notice>)}
      </section>
      {template ? <Template key={template.name} link={link} item={template} onRead={(now) => (reading.value = now ? template.name : "")} /> : item ? (
        <Reading key={item} link={link} uri={item} about={resources.value?.items.find((r) => r.name === item)} />
      ) : (
        <section class="pane" aria-label="Content"><Empty icon="resources" title="Choose a resource"><p>Selecting a resource reads it. Fill in the variables of a template first.</p></Empty></section>
      )}
    </div>
  );
}
