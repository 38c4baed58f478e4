import { listRunSteps as listSteps, showRunStep as showStep } from "#shared/api";
import type { SeenRun } from "#shared/api";
import { maskForTeam } from "#shared/masking";
import { auditAction } from "../../audit/audit-changes.ts";
import type { Console, Handler } from "../../console.ts";
import type { Caller } from "../guards/caller.ts";

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
    store: store.ofRun(runId),
    run: mask.record(run),
    events: events.map(mask.event),
    mask,
    seesInstructions: caller.role !== "viewer",
  };
}

const REVEALED_EVENTS_MAX = 1000;

/**
 * Shows what a run came to as its owner sees it: result, error and events; secrets stay masked. The record of what
 * people did and the audit have who looked, when and why before anything is shown.
 */
export const revealRun: Handler<"revealRun"> = async ({
  console: { store, reveals },
  params: { run_id },
  body: { why },
  caller,
}) => {
  reveals.take(caller.person ?? caller.name);
  const { team, status, result, error } = await store.runs.get(run_id);
  await auditAction(store, { by: caller.name, action: "run.reveal", why, detail: { run_id } });
  const events = await store.runs.events(run_id, { from: 0, limit: REVEALED_EVENTS_MAX });
  return { run_id, team, status, result, error, events };
};
