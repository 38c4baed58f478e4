import type { Handler } from "../operation.ts";

/** The ward's log, newest first. Whoever may write the ward can edit it; what people did is signed elsewhere. */
export const listAudit: Handler<"listAudit"> = async ({ console, query }) => ({
  audit: await console.store.cases.audit(null, query.limit),
});
