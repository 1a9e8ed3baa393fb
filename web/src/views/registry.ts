// The views, in the order of the rail. A view is a component; its content is a function of the state.
import type { ComponentType } from "preact";
import type { IconName } from "../components/icon";
import { lazy } from "../components/lazy";
import { PromptsView } from "./features/prompts";
import { ResourcesView } from "./features/resources";
import { TasksView } from "./features/tasks";
import { QuestionsView } from "./questions/view";
import { ServersView } from "./servers/view";
import { ToolsView } from "./tools/view";

const AuthView = lazy(() => import("./rare").then((m) => m.AuthView));
const GatewayView = lazy(() => import("./rare").then((m) => m.GatewayView));
const QualityView = lazy(() => import("./rare").then((m) => m.QualityView));
const WireView = lazy(() => import("./rare").then((m) => m.WireView));

export interface View {
  id: string; // in the URL
  title: string;
  icon: IconName;
  key?: string; // after g
  linked: boolean; // it shows one connection, which is in the URL
  show: ComponentType;
}

export const views: View[] = [
  { id: "servers", title: "Servers", icon: "servers", key: "s", linked: false, show: ServersView },
  { id: "tools", title: "Tools", icon: "tools", key: "t", linked: true, show: ToolsView },
  { id: "resources", title: "Resources", icon: "resources", key: "r", linked: true, show: ResourcesView },
  { id: "prompts", title: "Prompts", icon: "prompts", key: "p", linked: true, show: PromptsView },
  { id: "wire", title: "Wire", icon: "wire", key: "w", linked: true, show: WireView },
  { id: "quality", title: "Quality", icon: "quality", key: "q", linked: true, show: QualityView },
  { id: "questions", title: "Requests", icon: "questions", key: "u", linked: true, show: QuestionsView },
  { id: "tasks", title: "Tasks", icon: "tasks", key: "k", linked: true, show: TasksView },
  { id: "gateway", title: "Gateway", icon: "gateway", key: "y", linked: false, show: GatewayView },
  { id: "auth", title: "Authorization", icon: "auth", key: "a", linked: false, show: AuthView },
];
