import { useEffect } from "react";
import { shared } from "../data/shared.ts";

export const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const KEY = "suture-theme";
const theme = shared<Theme>(THEMES.find((one) => one === localStorage.getItem(KEY)) ?? "system");

function setTheme(next: Theme): void {
  localStorage.setItem(KEY, next);
  theme.set(next);
}

/** The theme of this browser, kept from one visit to the next. */
export function useTheme(): [Theme, (next: Theme) => void] {
  const now = theme.use();
  useEffect(() => void (document.documentElement.dataset["theme"] = now), [now]);
  return [now, setTheme];
}
