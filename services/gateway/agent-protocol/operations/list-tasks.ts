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
  const tasks = await Promise.all(seen.map((record) => readTaskOf(gateway, caller, record)));
  return { tasks: tasks.map(({ task }) => task), pagination: paginate(total, query) };
};
