import { AbsentError } from "#shared/http";
import { operation, READERS } from "../../operation.ts";
import { eventsOf, findRun } from "../../tenancy/see-run.ts";
import { stepParams, stepSchema } from "../protocol-schemas.ts";
import { viewSteps } from "../view-steps.ts";

export const showStep = operation({
  id: "getAgentTaskStep",
  summary: "Agent Protocol: show a step",
  scopes: READERS,
  params: stepParams,
  status: 200,
  answers: stepSchema,
  async handle({ gateway, params, caller }) {
    const record = await findRun(gateway, caller, params.task_id);
    const steps = viewSteps(record, await eventsOf(gateway, caller, record));
    const step = steps.find(({ step_id }) => step_id === params.step_id);
    if (step === undefined) throw new AbsentError("step of this task");
    return step;
  },
});
