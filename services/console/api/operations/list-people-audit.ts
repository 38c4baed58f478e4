import { auditAction } from "../guards/audit-action.ts";
import type { Handler } from "../operation.ts";

/** What people did, newest first; what is not as it was written says so. */
export const listPeopleAudit: Handler<"listPeopleAudit"> = async ({ console: { audit }, query }) => ({
  records: await audit.newest(query.limit),
});

/** The records as they are stored, oldest first, with what it takes to hold them against each other. */
export const exportPeopleAudit: Handler<"exportPeopleAudit"> = async ({ console, caller, query }) => {
  const { audit, reveals, store } = console;
  // An export is logged outside the records themselves: reading them to verify must not change the chain.
  if (query.offset === 0) {
    reveals.take(caller.person ?? caller.name);
    await auditAction(store, { by: caller.name, action: "audit.read", why: "" });
  }
  return audit.page(query.offset, query.limit);
};
