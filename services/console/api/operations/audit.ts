import { auditAction } from "../../audit/audit-changes.ts";
import type { Handler } from "../../console.ts";

/** The ward's log, newest first. Whoever may write the ward can edit it; what people did is a chain elsewhere. */
export const listAudit: Handler<"listAudit"> = async ({ console, query }) => ({
  audit: await console.store.cases.audit(null, query.limit),
});

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

/** Lists attempts that the gateway and the console refused, newest first, with clients' addresses. */
export const listRefusals: Handler<"listRefusals"> = async ({ console, query }) => ({
  refusals: await console.store.refusals.list(query.limit),
});
