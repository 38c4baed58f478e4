import { UnauthorisedError } from "#shared/http";
import { ENDED_STATUSES } from "#shared/store/runs";
import { takeWaitingPlace } from "../guards/take-place.ts";
import type { Handler } from "../operation.ts";
import { waitForEnd } from "../runs/follow-run.ts";
import { viewRun } from "../runs/view-run.ts";
import { eventsOf, findRun } from "../tenancy/see-run.ts";

export const showRun: Handler<"showRun"> = async (call) => {
  const { gateway, params, query, caller } = call;
  let run = await findRun(gateway, caller, params.run_id);
  if (query.wait > 0 && !ENDED_STATUSES.includes(run.status)) {
    const leave = takeWaitingPlace(gateway, caller);
    try {
      await waitForEnd(call, run.run_id, query.wait * 1000);
      if (!call.mayStill()) throw new UnauthorisedError();
      run = await findRun(gateway, caller, run.run_id);
    } finally {
      leave();
    }
  }
  return viewRun(run, await eventsOf(gateway, caller, run));
};
