import { sleep } from "#shared/clock";
import type { GroupWork, GroupWorkState } from "../../attached/group-work.ts";
import { viewWork } from "../../attached/view-queue.ts";
import { AbsentError } from "../../errors.ts";
import type { Handler } from "../operation.ts";

/** How long a request waits for work on a group, in ms: most of it has ended by then. */
const WAIT_MS = 1000;
/** Time for the undo of a batch, in ms: it goes through the whole audit of the queue. */
const UNDO_MS_MAX = 60_000;

export const applyToAttachedGroup: Handler<"applyToAttachedGroup"> = async (call) => {
  const { console, params, body, caller } = call;
  const { link, survey, work } = console.attached.of(params.queue);
  // Before it is under way: a queue that is away is an error of this request.
  await link.use((ward) => ward.counts());
  const { group, repair, canary, is_dry_run: isDryRun, accepts_effects: acceptsEffects } = body;
  const ended = work.start(group, { by: caller.name, repair, isDryRun, canary, acceptsEffects });
  await Promise.race([ended.then(() => survey.expire()), sleep(WAIT_MS)]);
  return viewWork(stateOf(work), true);
};

export const stopAttachedApply: Handler<"stopAttachedApply"> = async ({ console, params }) => {
  const { survey, work } = console.attached.of(params.queue);
  const stopped = await work.stop();
  survey.expire();
  return viewWork(stopped, true);
};

export const undoAttachedBatch: Handler<"undoAttachedBatch"> = async ({ console, params, body, caller }) => {
  const { link, survey } = console.attached.of(params.queue);
  survey.expire();
  const outcomes = await link.use((ward) => ward.undoBatch(body.batch, caller.name), UNDO_MS_MAX);
  return { outcomes: Object.fromEntries(Object.entries(outcomes)) };
};

function stateOf(work: GroupWork): GroupWorkState {
  if (work.state === null) throw new AbsentError("work on a group");
  return work.state;
}
