import { AbsentError } from "#shared/http";
import type { Handler } from "../../operation.ts";
import { eventsOf, findRun } from "../../tenancy/see-run.ts";
import { viewSteps } from "../view-steps.ts";

export const showStep: Handler<"getAgentTaskStep"> = async ({ gateway, params, caller }) => {
  const record = await findRun(gateway, caller, params.task_id);
  const steps = viewSteps(record, await eventsOf(gateway, caller, record));
  const step = steps.find(({ step_id }) => step_id === params.step_id);
  if (step === undefined) throw new AbsentError("step of this task");
  return step;
};
