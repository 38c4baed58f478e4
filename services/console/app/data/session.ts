import { shared } from "./shared.ts";

/** Address of the login. */
export const LOGIN = `${import.meta.env.BASE_URL}login`;

/** Whether what is on the page may still be asked for. */
const session = shared<"unknown" | "open" | "ended">("unknown");
export const useSessionState = session.use;

/** Leads to the login without a session. With one that has ended, what was typed stays on the page. */
export function noteSession(next: "open" | "ended"): void {
  if (location.pathname === LOGIN) return;
  if (next === "open" || session.get() !== "unknown") return session.set(next);
  location.assign(`${LOGIN}?${new URLSearchParams({ back: location.pathname + location.search })}`);
}
