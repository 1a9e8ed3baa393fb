// The theme: that of the system, unless the user chose one.
import { effect } from "@preact/signals";
import { persisted } from "./persist";

export type Theme = "system" | "light" | "dark";

export const theme = persisted<Theme>("theme", "system");

/** followTheme sets the choice on the document for the style sheet. */
export function followTheme(): void {
  effect(() => {
    if (theme.value === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme.value;
  });
}

/** switchTheme switches between light and dark. */
export function switchTheme(): void {
  const dark = theme.value === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : theme.value === "dark";
  theme.value = dark ? "light" : "dark";
}
