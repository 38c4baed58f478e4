import { operation, READERS } from "../../operation.ts";
import { taskParams, taskSchema } from "../protocol-schemas.ts";
import { readTask } from "../read-task.ts";

export const showTask = operation({
  id: "getAgentTask",
  summary: "Agent Protocol: show a task",
  scopes: READERS,
  params: taskParams,
  status: 200,
  answers: taskSchema,
  async handle({ gateway, params, caller }) {
    return (await readTask(gateway, caller, params.task_id)).task;
  },
});
