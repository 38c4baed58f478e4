import type { Handler } from "../operation.ts";

/** Who did what, when and why; newest first. */
export const listAudit: Handler<"listAudit"> = async ({ console, query }) => ({
  audit: await console.store.cases.audit(null, query.limit),
});
