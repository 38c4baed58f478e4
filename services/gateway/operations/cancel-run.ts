import type { Handler } from "../operation.ts";
import { endRun } from "../runs/end-run.ts";
import { summarise } from "../runs/view-run.ts";

/** Asks for a run's end. One that has ended already is answered as it is. */
export const cancelRun: Handler<"cancelRun"> = async ({ gateway, params, caller }) =>
  summarise(await endRun(gateway, caller, params.run_id));
