import type { Handler } from "../../operation.ts";
import { eventsOf, findRun } from "../../tenancy/see-run.ts";
import { pageOf } from "../page-of.ts";
import { viewSteps } from "../view-steps.ts";

export const listSteps: Handler<"listAgentTaskSteps"> = async ({ gateway, params, query, caller }) => {
  const record = await findRun(gateway, caller, params.task_id);
  const steps = viewSteps(record, await eventsOf(gateway, caller, record));
  const { items, pagination } = pageOf(steps, query);
  return { steps: items, pagination };
};
