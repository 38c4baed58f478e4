import type { Handler } from "../../operation.ts";
import { pageOf } from "../page-of.ts";
import { readTask } from "../read-task.ts";

export const listTaskArtifacts: Handler<"listAgentTaskArtifacts"> = async ({
  gateway,
  params,
  query,
  caller,
}) => {
  const { task } = await readTask(gateway, caller, params.task_id);
  const { items, pagination } = pageOf(task.artifacts, query);
  return { artifacts: items, pagination };
};
