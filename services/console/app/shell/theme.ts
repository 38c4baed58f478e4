import { useEffect, useState } from "react";

const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "suture-theme";

export function nextTheme(theme: Theme): Theme {
  return THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
}

/** The theme of this browser, kept from one visit to the next. */
export function useTheme(): [Theme, (next: Theme) => void] {
  const [theme, setTheme] = useState(
    () => THEMES.find((one) => one === localStorage.getItem(KEY)) ?? "system",
  );
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
    localStorage.setItem(KEY, theme);
  }, [theme]);
  return [theme, setTheme];
}
