import { useSyncExternalStore } from "react";

/** Whether what is on the page may still be asked for. */
export type SessionState = "unknown" | "open" | "ended";

/** Address of the login. */
export const LOGIN = `${import.meta.env.BASE_URL}login`;
const isLogin = (): boolean => location.pathname === LOGIN;

let state: SessionState = "unknown";
const listeners = new Set<() => void>();

/** Who comes without a session is led to the login; who had one keeps what they typed, and is told. */
export function noteSession(next: "open" | "ended"): void {
  if (next === "ended" && state === "unknown" && !isLogin()) {
    const back = location.pathname + location.search;
    location.assign(`${LOGIN}?${new URLSearchParams({ back })}`);
    return;
  }
  if (state === next || isLogin()) return;
  state = next;
  for (const listener of listeners) listener();
}

export function useSessionState(): SessionState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}
