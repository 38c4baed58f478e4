import type { Store } from "#shared/store";
import type { RunEvent } from "#shared/store/runs";

/** The log of one run is no longer than this; see the journal's own bound. */
const EVENTS_MAX = 5000;
const PAGE = 1000;

/** All events of a run, in order; none for a run that is not there. */
export async function readEvents(store: Store, runId: string): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for (let from = 0; from < EVENTS_MAX; from += PAGE) {
    const page = await store.runs.events(runId, { from, limit: PAGE });
    events.push(...page);
    if (page.length < PAGE) break;
  }
  return events;
}
