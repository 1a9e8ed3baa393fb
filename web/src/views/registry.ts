// The views, in the groups and the order of the rail. A view is a component; its content is a function of the state.
import type { ComponentType } from "preact";
import type { Link } from "../api.gen";
import type { IconName } from "../components/icon";
import { lazy } from "../components/lazy";
import { isElicitation, isSampling } from "./questions/kinds";
import { ElicitationView, SamplingView } from "./questions/view";
import { ServersView } from "./servers/view";
import { ToolsView } from "./tools/view";

const AuthView = lazy(() => import("./rare").then((m) => m.AuthView));
const FindView = lazy(() => import("./rare").then((m) => m.FindView));
const GatewayView = lazy(() => import("./rare").then((m) => m.GatewayView));
const PromptsView = lazy(() => import("./rare").then((m) => m.PromptsView));
const QualityView = lazy(() => import("./rare").then((m) => m.QualityView));
const ResourcesView = lazy(() => import("./rare").then((m) => m.ResourcesView));
const RootsView = lazy(() => import("./rare").then((m) => m.RootsView));
const TasksView = lazy(() => import("./rare").then((m) => m.TasksView));
const WireView = lazy(() => import("./rare").then((m) => m.WireView));

export interface View {
  id: string; // in the URL
  title: string;
  icon: IconName;
  key: string; // after g
  linked: boolean; // it shows one connection, which is in the URL
  show: ComponentType;
  waiting?: (link: Link) => number; // how many requests of a connection wait for the user in this view
}

/** A Group is a part of the rail. The first has no title: it is the daily work, and stays visible on a narrow page. */
export interface Group {
  title: string;
  views: View[];
}

export const groups: Group[] = [
  {
    title: "",
    views: [
      { id: "servers", title: "Servers", icon: "servers", key: "s", linked: false, show: ServersView },
      { id: "tools", title: "Tools", icon: "tools", key: "t", linked: true, show: ToolsView },
      { id: "resources", title: "Resources", icon: "resources", key: "r", linked: true, show: ResourcesView },
      { id: "prompts", title: "Prompts", icon: "prompts", key: "p", linked: true, show: PromptsView },
      { id: "wire", title: "Wire", icon: "wire", key: "w", linked: true, show: WireView },
    ],
  },
  {
    title: "Checks",
    views: [
      { id: "quality", title: "Quality", icon: "quality", key: "q", linked: true, show: QualityView },
      { id: "find", title: "Tool search", icon: "search", key: "f", linked: true, show: FindView },
    ],
  },
  {
    title: "Server requests",
    views: [
      { id: "elicitation", title: "Elicitation", icon: "questions", key: "e", linked: true, show: ElicitationView, waiting: (l) => l.questions.filter(isElicitation).length },
      { id: "sampling", title: "Sampling", icon: "wand", key: "m", linked: true, show: SamplingView, waiting: (l) => l.questions.filter(isSampling).length },
      { id: "roots", title: "Roots", icon: "roots", key: "o", linked: true, show: RootsView },
    ],
  },
  {
    title: "Operation",
    views: [
      { id: "tasks", title: "Tasks", icon: "tasks", key: "k", linked: true, show: TasksView },
      { id: "auth", title: "Authorization", icon: "auth", key: "a", linked: false, show: AuthView },
      { id: "gateway", title: "Gateway", icon: "gateway", key: "y", linked: false, show: GatewayView },
    ],
  },
];

export const views: View[] = groups.flatMap((g) => g.views);
