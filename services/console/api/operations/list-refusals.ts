import type { Handler } from "../operation.ts";

/** Lists attempts that the gateway and the console refused, newest first, with clients' addresses. */
export const listRefusals: Handler<"listRefusals"> = async ({ console, query }) => ({
  refusals: await console.store.refusals.list(query.limit),
});
