import type { Handler } from "../operation.ts";

/** What people did, newest first; what is not as it was written says so. */
export const listPeopleAudit: Handler<"listPeopleAudit"> = async ({ console: { audit }, query }) => ({
  records: await audit.newest(query.limit),
});

/** The records as they are stored, oldest first, with what it takes to hold them against each other. */
export const exportPeopleAudit: Handler<"exportPeopleAudit"> = ({ console: { audit }, query }) =>
  audit.page(query.offset, query.limit);
