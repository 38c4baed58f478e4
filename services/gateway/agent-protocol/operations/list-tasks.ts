import { operation, READERS } from "../../operation.ts";
import { offsetOf, paginate } from "../page-of.ts";
import { pageQuery, taskPageSchema } from "../protocol-schemas.ts";
import { readTaskOf } from "../read-task.ts";

/** All runs that are kept, however they were begun, newest first. */
export const listTasks = operation({
  id: "listAgentTasks",
  summary: "Agent Protocol: list tasks, newest first",
  scopes: READERS,
  query: pageQuery,
  status: 200,
  answers: taskPageSchema,
  async handle({ gateway, query }) {
    const { runs } = gateway.store;
    const [total, records] = await Promise.all([
      runs.count(),
      runs.page({ offset: offsetOf(query), limit: query.page_size }),
    ]);
    const tasks = await Promise.all(records.map((record) => readTaskOf(gateway, record)));
    return { tasks: tasks.map(({ task }) => task), pagination: paginate(total, query) };
  },
});
