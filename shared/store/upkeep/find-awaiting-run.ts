import type { Store } from "../store.ts";

const RUNS_MAX = 10_000;
const RUNS_AT_ONCE = 1000;

/**
 * Finds the run that waits for a message of unreadable form: scans up to 10,000 runs that have not ended.
 * @returns The run's id; null if no run has this message open at this agent.
 */
export async function findAwaitingRun(
  store: Store,
  wanted: { readonly messageId: string; readonly agent: string },
): Promise<string | null> {
  for (const status of ["running", "queued", "in_ward", "quarantined"] as const) {
    const ids = await store.runs.idsIn(status, RUNS_MAX);
    for (let at = 0; at < ids.length; at += RUNS_AT_ONCE) {
      const page = ids.slice(at, at + RUNS_AT_ONCE);
      const states = await Promise.all(
        page.map((id) => store.redis.hget(`${store.keys.run(id)}:messages`, wanted.messageId)),
      );
      const index = states.findIndex((text) => {
        const [, state, agent] = text?.split("|") ?? [];
        return state === "open" && agent === wanted.agent;
      });
      if (index !== -1) return page[index] ?? null;
    }
  }
  return null;
}
