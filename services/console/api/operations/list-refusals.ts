import { z } from "zod";
import { operation } from "../operation.ts";
import { limitQuery } from "./request-fields.ts";

/** Lists attempts that the gateway and the console refused, newest first, with clients' addresses. */
export const listRefusals = operation({
  id: "listRefusals",
  role: "admin",
  query: z.strictObject({ limit: limitQuery }),
  handle: async ({ console, query }) => ({ refusals: await console.store.refusals.list(query.limit) }),
});
