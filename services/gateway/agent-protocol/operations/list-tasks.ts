import type { Task } from "#shared/api";
import type { Handler } from "../../operation.ts";
import { maySee, tenantSeen } from "../../tenancy/may-see.ts";
import { offsetOf, paginate } from "../page-of.ts";
import { readTaskOf } from "../read-task.ts";

/** The runs that are kept and that the caller may see, however they were begun, newest first. */
export const listTasks: Handler<"listAgentTasks"> = async ({ gateway, query, caller }) => {
  const { runs } = gateway.store;
  const tenant = tenantSeen(caller);
  const own = tenant === undefined ? {} : { tenant };
  const [total, records] = await Promise.all([
    runs.count(tenant),
    runs.page({ ...own, offset: offsetOf(query), limit: query.page_size }),
  ]);
  const seen = records.filter((record) => maySee(caller, record));
  const tasks: Task[] = [];
  // One after another: only what is answered of a task is kept in memory.
  for (const record of seen) tasks.push((await readTaskOf(gateway, caller, record)).task);
  return { tasks, pagination: paginate(total, query) };
};
