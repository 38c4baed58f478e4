import { now } from "#shared/clock";
import { AbsentError, UnauthorisedError } from "#shared/http";
import type { Gateway } from "../../gateway.ts";
import type { Handler } from "../../operation.ts";
import { watchChanges } from "../../runs/watch-changes.ts";
import type { Caller } from "../../tenancy/may-see.ts";
import { eventsOf, findRun } from "../../tenancy/see-run.ts";
import type { Step } from "#shared/api";
import { viewSteps } from "../view-steps.ts";
import { takeWaitingPlace } from "../../guards/take-place.ts";

/**
 * The next step that nobody has taken yet, when it is done. The agents do their steps without being asked; this waits
 * for one, for a bounded time, after which the step is answered as it is then and the next request waits for it again.
 * A task whose steps are all taken answers its last one.
 */
export const executeStep: Handler<"executeAgentTaskStep"> = async ({
  gateway,
  params,
  caller,
  signal,
  mayStill,
}) => {
  const { run_id } = await findRun(gateway, caller, params.task_id);
  const leave = takeWaitingPlace(gateway, caller);
  const bell = watchChanges(gateway, run_id);
  const untilMs = now() + gateway.bounds.stepWaitMsMax;
  try {
    for (;;) {
      if (!mayStill()) throw new UnauthorisedError();
      const { step, isToWaitFor } = await takeNext(gateway, caller, run_id);
      const leftMs = untilMs - now();
      if (!isToWaitFor || leftMs <= 0 || signal.aborted) return step;
      await bell.wait(Math.min(leftMs, gateway.bounds.recheckEveryMs), signal);
    }
  } finally {
    bell.stop();
    leave();
  }
};

/** Another request may take a step in the same moment: one of them gets it, the other looks for the one after it. */
async function takeNext(
  gateway: Gateway,
  caller: Caller,
  runId: string,
): Promise<{ readonly step: Step; readonly isToWaitFor: boolean }> {
  const { stepMarks } = gateway.store;
  for (;;) {
    const taken = await stepMarks.read(runId);
    const record = await findRun(gateway, caller, runId);
    const events = await eventsOf(gateway, caller, record);
    // Its end came between the two reads: the last step would be told as one that another follows.
    if ((await findRun(gateway, caller, runId)).status !== record.status) continue;
    const steps = viewSteps(record, events);
    const next = steps[taken];
    const last = steps.at(-1);
    if (last === undefined) throw new AbsentError("step of this task");
    // Between two steps there is none yet: what is known of the last one is all there is to tell.
    if (next === undefined) return { step: last, isToWaitFor: !last.is_last };
    if (next.status !== "completed") return { step: next, isToWaitFor: true };
    if (await stepMarks.advance(runId, taken)) return { step: next, isToWaitFor: false };
  }
}
