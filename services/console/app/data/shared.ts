import { useEffect, useState, useSyncExternalStore } from "react";

/** Returns a value that changes outside of React, and a hook that follows it. */
export function shared<Value>(value: Value) {
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get: () => value,
    set: (next: Value): void => {
      value = next;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, () => value),
  };
}

const SETTLED_MS = 250;

/** Returns a value once it has stood for a quarter of a second: what somebody types, when they stop. */
export function useSettled<Value>(value: Value): Value {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

export const THEMES = ["system", "light", "dark"] as const;

const THEME_KEY = "suture-theme";

/** Returns the theme of this browser, kept from one visit to the next. */
export const themeNow = (): string => localStorage.getItem(THEME_KEY) ?? "system";

/** Shows the pages in a theme, and keeps it. */
export function setTheme(theme: string): void {
  localStorage.setItem(THEME_KEY, theme);
  document.documentElement.dataset["theme"] = theme;
}
