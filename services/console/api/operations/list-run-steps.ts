import { listRunSteps as listSteps, showRunStep as showStep } from "#shared/api";
import type { SeenRun } from "#shared/api";
import { maskForTeam } from "#shared/masking";
import type { Console } from "../../console.ts";
import type { Caller } from "../guards/role.ts";
import type { Handler } from "../operation.ts";

/** The log of one run is no longer than this; see the journal's own bound. */
const EVENTS_MAX = 5000;

/** Shows what passed between the steps of a run, with what contracts mark masked. */
export const listRunSteps: Handler<"listRunSteps"> = async ({ console, params, query, caller }) =>
  listSteps(await seenRun(console, caller, params.run_id), query);

/** Shows one step of a run with its values uncut. */
export const showRunStep: Handler<"showRunStep"> = async ({ console, params, caller }) =>
  showStep(await seenRun(console, caller, params.run_id), params.step_id);

/** @throws {NotFoundError} */
async function seenRun({ store, teams }: Console, caller: Caller, runId: string): Promise<SeenRun> {
  const run = await store.runs.get(runId);
  const mask = maskForTeam(teams.find(({ name }) => name === run.team));
  const events = await store.runs.events(runId, { from: 0, limit: EVENTS_MAX });
  return {
    store,
    run: mask.record(run),
    events: events.map(mask.event),
    mask,
    seesInstructions: caller.role !== "viewer",
  };
}
