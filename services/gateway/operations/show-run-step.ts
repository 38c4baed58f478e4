import { showRunStep as showStep } from "#shared/api";
import type { Handler } from "../operation.ts";
import { seenRun } from "../tenancy/see-run.ts";

/** Shows one step of a run with its values uncut. */
export const showRunStep: Handler<"showRunStep"> = async ({ gateway, params, caller }) =>
  showStep(await seenRun(gateway, caller, params.run_id), params.step_id);
