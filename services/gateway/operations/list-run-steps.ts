import { listRunSteps as listSteps } from "#shared/api";
import type { Handler } from "../operation.ts";
import { seenRun } from "../tenancy/see-run.ts";

/** Shows what passed between the steps of a run. */
export const listRunSteps: Handler<"listRunSteps"> = async ({ gateway, params, query, caller }) =>
  listSteps(await seenRun(gateway, caller, params.run_id), query);
