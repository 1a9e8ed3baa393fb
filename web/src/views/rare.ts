// What is not needed for the first call, in one file that is fetched when it is opened.
export { AuthView } from "./auth/view";
export { FindView } from "./find/view";
export { PromptsView } from "./features/prompts";
export { ResourcesView } from "./features/resources";
export { TasksView } from "./features/tasks";
export { RootsView } from "./questions/roots";
export { GatewayView } from "./gateway/view";
export { QualityView } from "./quality/view";
export { WireView } from "./wire/view";
export { ChangesDialog } from "./changes/details";
export { JsonEditor } from "../components/editor"; // in the chunk that all share, instead of in one more
