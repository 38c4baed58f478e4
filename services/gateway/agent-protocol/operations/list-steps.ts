import { operation, READERS } from "../../operation.ts";
import { eventsOf, findRun } from "../../tenancy/see-run.ts";
import { pageOf } from "../page-of.ts";
import { pageQuery, stepPageSchema, taskParams } from "../protocol-schemas.ts";
import { viewSteps } from "../view-steps.ts";

export const listSteps = operation({
  id: "listAgentTaskSteps",
  summary: "Agent Protocol: list the steps of a task, done ones first",
  scopes: READERS,
  params: taskParams,
  query: pageQuery,
  status: 200,
  answers: stepPageSchema,
  async handle({ gateway, params, query, caller }) {
    const record = await findRun(gateway, caller, params.task_id);
    const steps = viewSteps(record, await eventsOf(gateway, caller, record));
    const { items, pagination } = pageOf(steps, query);
    return { steps: items, pagination };
  },
});
