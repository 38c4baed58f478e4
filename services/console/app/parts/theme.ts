import { useEffect, useSyncExternalStore } from "react";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "suture-theme";
const listeners = new Set<() => void>();

let theme: Theme = THEMES.find((one) => one === localStorage.getItem(KEY)) ?? "system";

function setTheme(next: Theme): void {
  theme = next;
  localStorage.setItem(KEY, next);
  for (const listener of listeners) listener();
}

export function nextTheme(of: Theme): Theme {
  return THEMES[(THEMES.indexOf(of) + 1) % THEMES.length] ?? "system";
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The theme of this browser, kept from one visit to the next. */
export function useTheme(): [Theme, (next: Theme) => void] {
  const now = useSyncExternalStore(subscribe, () => theme);
  useEffect(() => void (document.documentElement.dataset["theme"] = now), [now]);
  return [now, setTheme];
}
