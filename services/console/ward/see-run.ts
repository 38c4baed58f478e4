import type { SeenRun } from "#shared/api";
import { maskForTeam } from "#shared/masking";
import type { Team } from "#shared/runtime";
import type { Store } from "#shared/store";

/** The store of runs and cases, and the teams whose contracts say what of them is shown. */
export interface Shown {
  readonly store: Store;
  readonly teams: readonly Team[];
}

/** The log of one run is no longer than this; see the journal's own bound. */
const EVENTS_MAX = 5000;

/** Reads a run with what its contracts mark as sensitive masked. @throws {NotFoundError} */
export async function seeRun(
  { store, teams }: Shown,
  runId: string,
  { seesInstructions }: Pick<SeenRun, "seesInstructions">,
): Promise<SeenRun> {
  const run = await store.runs.get(runId);
  const mask = maskForTeam(teams.find(({ name }) => name === run.team));
  const events = await store.runs.events(runId, { from: 0, limit: EVENTS_MAX });
  return {
    store: store.ofRun(runId),
    run: mask.record(run),
    events: events.map(mask.event),
    mask,
    seesInstructions,
  };
}
