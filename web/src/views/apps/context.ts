// What a view learns about its host: theme, styles, size, language.
import type { App } from "../../api.gen";
import { modes, type Mode, type Theme } from "./protocol";

// The variables of the specification, by those of the page.
const colors: Record<string, string> = {
  "--color-background-primary": "--surface", "--color-background-secondary": "--sunken", "--color-background-tertiary": "--canvas",
  "--color-background-inverse": "--text", "--color-background-info": "--note-soft", "--color-background-danger": "--bad-soft",
  "--color-background-success": "--good-soft", "--color-background-warning": "--warn-soft",
  "--color-text-primary": "--text", "--color-text-secondary": "--muted", "--color-text-tertiary": "--faint", "--color-text-inverse": "--surface",
  "--color-text-info": "--note", "--color-text-danger": "--bad", "--color-text-success": "--good", "--color-text-warning": "--warn",
  "--color-border-primary": "--line-strong", "--color-border-secondary": "--line", "--color-border-tertiary": "--line",
  "--color-ring-primary": "--accent",
};

/** themeNow is the theme of the page. */
export function themeNow(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "light" || chosen === "dark" ? chosen : matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** stylesOf are the variables of a theme, with values that do not depend on the page. */
export function stylesOf(theme: Theme): Record<string, string> {
  const probe = document.createElement("div");
  probe.style.colorScheme = theme;
  document.body.append(probe);
  const out: Record<string, string> = {};
  for (const [name, ours] of Object.entries(colors)) {
    probe.style.color = `var(${ours})`;
    out[name] = getComputedStyle(probe).color;
  }
  const style = getComputedStyle(probe);
  out["--font-sans"] = style.getPropertyValue("--sans").trim();
  out["--font-mono"] = style.getPropertyValue("--mono").trim();
  probe.remove();
  return { ...out, "--border-radius-sm": "4px", "--border-radius-md": "6px", "--border-radius-lg": "10px", "--border-width-regular": "1px" };
}

export interface Shown {
  theme: Theme;
  mode: Mode;
  width: number;
  maxHeight: number;
}

/** contextOf is the host context of a view. */
export function contextOf(app: App, shown: Shown): Record<string, unknown> {
  return {
    toolInfo: { tool: JSON.parse(app.tool_json) as unknown },
    ...changing(shown),
    availableDisplayModes: modes,
    locale: navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    userAgent: "mcptest/" + app.version,
    platform: "web",
    deviceCapabilities: { touch: matchMedia("(pointer: coarse)").matches, hover: matchMedia("(hover: hover)").matches },
  };
}

/** changing is the part of the context that the user can change. */
export function changing(shown: Shown): Record<string, unknown> {
  return {
    theme: shown.theme,
    styles: { variables: stylesOf(shown.theme) },
    displayMode: shown.mode,
    containerDimensions: { width: shown.width, maxHeight: shown.maxHeight },
  };
}

/** capabilitiesOf are what the host offers: only what it enforces or shows. */
export function capabilitiesOf(app: App): Record<string, unknown> {
  const permissions: Record<string, object> = {};
  for (const name of app.permissions) permissions[name] = {};
  return {
    openLinks: {}, serverTools: {}, serverResources: {}, logging: {},
    message: { text: {} }, updateModelContext: { text: {}, structuredContent: {} },
    sandbox: { csp: app.csp, permissions },
  };
}
