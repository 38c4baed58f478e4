import { now } from "#shared/clock";
import { ENDED_STATUSES } from "#shared/store/runs";
import type { RunRecord } from "#shared/store/runs";
import { UnauthorisedError } from "#shared/http";
import type { Handler } from "../operation.ts";
import { viewRun } from "../runs/view-run.ts";
import { waitForEnd } from "../runs/wait-for-end.ts";
import { eventsOf, findRun } from "../tenancy/see-run.ts";
import { takeWaitingPlace } from "../guards/take-place.ts";

export const showRun: Handler<"showRun"> = async ({ gateway, params, query, caller, signal, mayStill }) => {
  const record = await findRun(gateway, caller, params.run_id);
  const view = async (run: RunRecord) => viewRun(run, await eventsOf(gateway, caller, run));
  if (query.wait === 0 || ENDED_STATUSES.includes(record.status)) return view(record);
  const leave = takeWaitingPlace(gateway, caller);
  try {
    const untilMs = now() + query.wait * 1000;
    const last = await waitForEnd(gateway, record, { caller, untilMs, signal, mayStill });
    if (!mayStill()) throw new UnauthorisedError();
    return await view(last);
  } finally {
    leave();
  }
};
