import { z } from "zod";
import { operation } from "../operation.ts";
import { limitQuery } from "./request-fields.ts";

/** Who did what, when and why; newest first. */
export const listAudit = operation({
  id: "listAudit",
  role: "viewer",
  query: z.strictObject({ limit: limitQuery }),
  handle: async ({ console, query }) => ({ audit: await console.store.cases.audit(null, query.limit) }),
});
