// The theme: that of the system, unless the person chose one.
import { effect } from "@preact/signals";
import { persisted } from "./persist";

export type Theme = "system" | "light" | "dark";

export const theme = persisted<Theme>("theme", "system");

/** followTheme puts the choice on the document, where the style sheet looks for it. */
export function followTheme(): void {
  effect(() => {
    if (theme.value === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme.value;
  });
}

/** switchTheme goes from what is seen now to the other one. */
export function switchTheme(): void {
  const dark = theme.value === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : theme.value === "dark";
  theme.value = dark ? "light" : "dark";
}
