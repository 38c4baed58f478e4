export const THEMES = ["system", "light", "dark"] as const;

const KEY = "suture-theme";

/** Returns the theme of this browser, kept from one visit to the next. */
export const themeNow = (): string => localStorage.getItem(KEY) ?? "system";

/** Shows the pages in a theme, and keeps it. */
export function setTheme(theme: string): void {
  localStorage.setItem(KEY, theme);
  document.documentElement.dataset["theme"] = theme;
}
