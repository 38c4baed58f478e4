import type { Handler } from "../../operation.ts";
import { readTask } from "../read-task.ts";

export const showTask: Handler<"getAgentTask"> = async ({ gateway, params, caller }) => {
  return (await readTask(gateway, caller, params.task_id)).task;
};
