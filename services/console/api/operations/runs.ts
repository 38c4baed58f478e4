import { listRunSteps as listSteps, showRunStep as showStep } from "#shared/api";
import type { SeenRun } from "#shared/api";
import { listRuns as readPage, summarise, viewRun } from "#shared/api/run-views";
import { sleep } from "#shared/clock";
import { TTL_MS_MAX } from "#shared/envelope/limits";
import { ENDED_STATUSES } from "#shared/store/runs";
import { auditAction } from "../../audit/audit-changes.ts";
import type { Console, Handler } from "../../console.ts";
import { seeRun } from "../../ward/see-run.ts";
import type { Caller } from "../guards/caller.ts";

/** Pause between two looks at a run that somebody waits for, in ms. */
const LOOK_EVERY_MS = 500;

/** Lists the runs of the caller's teams, newest first. */
export const listRuns: Handler<"listRuns"> = async ({ console: { store }, query, caller: { teams } }) => {
  const sees = ({ team }: { readonly team: string }): boolean => teams === null || teams.includes(team);
  const { runs, next_cursor } = await readPage(store, { ...query, tenant: undefined, sees });
  return { runs: runs.map(summarise), next_cursor };
};

/** Shows a run, at once or when it has ended, with what contracts mark masked. */
export const showRun: Handler<"showRun"> = async ({ console, params, query, caller, signal }) => {
  const untilMs = performance.now() + query.wait * 1000;
  let seen = await seenRun(console, caller, params.run_id);
  while (!ENDED_STATUSES.includes(seen.run.status) && performance.now() < untilMs && !signal.aborted) {
    await sleep(LOOK_EVERY_MS);
    seen = await seenRun(console, caller, params.run_id);
  }
  return viewRun(seen.run, seen.events, { hasEvents: query.include === "events" });
};

/** Cancels a run. One that has ended already is answered as it is. */
export const cancelRun: Handler<"cancelRun"> = async ({ console: { store }, params: { run_id }, caller }) => {
  await auditAction(store, { by: caller.name, action: "run.cancel", why: "", detail: { run_id } });
  const markLifeMs = Math.max(store.options.retentionMs, TTL_MS_MAX);
  return summarise(await store.runs.cancel({ runId: run_id, by: caller.name, markLifeMs }));
};

/** Shows what passed between the steps of a run, with what contracts mark masked. */
export const listRunSteps: Handler<"listRunSteps"> = async ({ console, params, query, caller }) =>
  listSteps(await seenRun(console, caller, params.run_id), query);

/** Shows one step of a run with its values uncut. */
export const showRunStep: Handler<"showRunStep"> = async ({ console, params, caller }) =>
  showStep(await seenRun(console, caller, params.run_id), params.step_id);

/** @throws {NotFoundError} */
const seenRun = (console: Console, { role }: Caller, runId: string): Promise<SeenRun> =>
  seeRun(console, runId, { seesInstructions: role !== "viewer" });

const REVEALED_EVENTS_MAX = 1000;

/**
 * Shows what a run came to as its owner sees it: result, error and events; secrets stay masked. The record of what
 * people did and the audit have who looked, when and why before anything is shown.
 */
export const revealRun: Handler<"revealRun"> = async ({
  console,
  params: { run_id },
  body: { why },
  caller,
}) => {
  const { store, reveals } = console;
  reveals.take(caller.person ?? caller.name);
  const { team, status, result, error } = await store.runs.get(run_id);
  await auditAction(store, { by: caller.name, action: "run.reveal", why, detail: { run_id } });
  const events = await store.runs.events(run_id, { from: 0, limit: REVEALED_EVENTS_MAX });
  return { run_id, team, status, result, error, events };
};
