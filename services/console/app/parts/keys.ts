import { useEffect, useRef } from "react";

/** Where somebody types: a key there is a letter. The editor lies in a shadow tree, so the path is asked. */
const TYPED = "input, textarea, select, [contenteditable='true']";

/** Whether a key goes into a field. */
export function isTyping(event: KeyboardEvent): boolean {
  const [at] = event.composedPath();
  return at instanceof Element && at.closest(TYPED) !== null;
}

/** Calls what belongs to a key, unless somebody types or holds Ctrl, Alt or Meta. */
export function useKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  const latest = useRef(keys);
  useEffect(() => void (latest.current = keys));
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const act = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined;
      if (act === undefined || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
        return;
      if (isTyping(event)) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
