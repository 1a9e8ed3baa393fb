// What is not needed for the first call, in one file that is fetched when it is opened.
export { AuthView } from "./auth/view";
export { GatewayView } from "./gateway/view";
export { QualityView } from "./quality/view";
export { WireView } from "./wire/view";
export { ChangesDialog } from "./changes/details";
