// The views, in the order of the rail. A view is a component; what it shows is a function of the state.
import type { ComponentType } from "preact";
import type { IconName } from "../components/icon";
import { ServersView } from "./servers/view";
import { ToolsView } from "./tools/view";

export interface View {
  id: string; // in the address
  title: string;
  icon: IconName;
  key?: string; // after g
  linked: boolean; // it is about one connection, which stands in the address
  show: ComponentType;
}

export const views: View[] = [
  { id: "servers", title: "Servers", icon: "servers", key: "s", linked: false, show: ServersView },
  { id: "tools", title: "Tools", icon: "tools", key: "t", linked: true, show: ToolsView },
];
