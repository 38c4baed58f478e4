import { listRunSteps as listSteps, readSealed, showRunStep as showStep } from "#shared/api";
import type { MessagePlace, SeenRun } from "#shared/api";
import { listRuns as readPage, summarise, viewRun } from "#shared/api/run-views";
import { sleep, timestamp } from "#shared/clock";
import { TTL_MS_MAX } from "#shared/envelope/limits";
import { maskSecrets } from "#shared/guard";
import { AbsentError, RequestInvalidError } from "#shared/http";
import { maskForTeam } from "#shared/masking";
import { orderReplay } from "#shared/people";
import type { JsonValue } from "#shared/schema";
import { ENDED_STATUSES } from "#shared/store/runs";
import { auditAction } from "../../audit/audit-changes.ts";
import type { Console, Handler } from "../../console.ts";
import { NoGatewayError, ReplayRefusedError } from "../../errors.ts";
import { readTyped } from "../../masking/masks.ts";
import { seeRun } from "../../ward/see-run.ts";
import type { Caller } from "../guards/caller.ts";

/** Pause between two looks at a run that somebody waits for, in ms. */
const LOOK_EVERY_MS = 500;

/** Finds runs and cases of the caller's teams by what they hold. */
export const search: Handler<"search"> = async ({ console, query: { text, kind, limit }, caller }) => {
  const { found, sinceMs } = await console.search.find(text, { kind, limit, teams: caller.teams });
  return {
    found: found.map(({ kind: of, id, team, status, atMs }) => ({
      kind: of,
      id,
      team,
      status,
      at: timestamp(atMs),
    })),
    looked_back_to: sinceMs === null ? null : timestamp(sinceMs),
  };
};

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

/** Time that a gateway may take to begin a replay. */
const REPLAY_WAIT_MS = 10_000;

/** Has a gateway run again from a recorded message; values that were masked for the person are those of the message. */
export const replayRun: Handler<"replayRun"> = async ({ console, params, body, caller, signal }) => {
  const { store } = console;
  const { run_id } = params;
  const messages = await store.runs.messages(run_id);
  const first = body.message_id ?? (await store.runs.events(run_id, { from: 0, limit: 1 }))[0]?.message_id;
  const message = messages.find(({ message_id }) => message_id === first);
  if (message === undefined)
    throw new AbsentError("message in this run", "The run's hops name its messages.");
  const { message_id } = message;
  const payload =
    body.data_payload === undefined
      ? {}
      : { data_payload: await unmasked(console, run_id, message, body.data_payload) };
  const order = { run_id, message_id, ...payload, by: caller.name };
  const answer = await orderReplay(store, order, { waitMs: REPLAY_WAIT_MS, signal });
  if (answer === null) throw new NoGatewayError();
  if ("status" in answer) throw new ReplayRefusedError(answer);
  const detail = { run_id, message_id, begun: answer.run_id };
  await auditAction(store, { by: caller.name, action: "run.replay", why: body.why, detail });
  return { ...answer, status_url: `/v1/runs/${answer.run_id}` };
};

/** Puts what was masked for the person back, from the message itself. @throws {RequestInvalidError} Other masks. */
async function unmasked(
  { store, teams }: Console,
  runId: string,
  message: MessagePlace,
  given: unknown,
): Promise<JsonValue> {
  const recorded = await readSealed(store.ofRun(runId), message);
  const { team } = await store.runs.get(runId);
  const mask = maskForTeam(teams.find(({ name }) => name === team));
  const envelopes = recorded.kind === "read" ? [recorded.envelope] : [];
  // An envelope was JSON. A person saw it masked.
  const known = envelopes.map(({ data_payload, meta }) => ({
    value: data_payload as JsonValue,
    masked: maskSecrets(mask.payload(data_payload, meta.contract)),
  }));
  const { value, issues } = readTyped(JSON.stringify(given), known);
  if (issues.length > 0)
    throw new RequestInvalidError(issues.map((issue) => ({ ...issue, path: `/data_payload${issue.path}` })));
  return value;
}

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
export const revealRun: Handler<"revealRun"> = async ({ console, params, body: { why }, caller }) => {
  const { store, reveals } = console;
  const { run_id } = params;
  reveals.take(caller.person ?? caller.name);
  const { team, status, result, error } = await store.runs.get(run_id);
  await auditAction(store, { by: caller.name, action: "run.reveal", why, detail: { run_id } });
  const events = await store.runs.events(run_id, { from: 0, limit: REVEALED_EVENTS_MAX });
  return { run_id, team, status, result, error, events };
};
