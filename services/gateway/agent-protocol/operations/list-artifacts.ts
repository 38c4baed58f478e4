import { operation, READERS } from "../../operation.ts";
import { pageOf } from "../page-of.ts";
import { artifactPageSchema, pageQuery, taskParams } from "../protocol-schemas.ts";
import { readTask } from "../read-task.ts";

export const listTaskArtifacts = operation({
  id: "listAgentTaskArtifacts",
  summary: "Agent Protocol: list the artifacts of a task",
  scopes: READERS,
  params: taskParams,
  query: pageQuery,
  status: 200,
  answers: artifactPageSchema,
  async handle({ gateway, params, query, caller }) {
    const { task } = await readTask(gateway, caller, params.task_id);
    const { items, pagination } = pageOf(task.artifacts, query);
    return { artifacts: items, pagination };
  },
});
