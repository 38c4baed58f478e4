import { z } from "zod";
import { findGroups } from "#shared/ward";
import { operation } from "../operation.ts";
import { limitQuery } from "./request-fields.ts";

const OFFSET_MAX = 1_000_000;

/** Groups of cases with one fingerprint, the one that a letter came to last first. */
export const listGroups = operation({
  id: "listGroups",
  role: "viewer",
  query: z.strictObject({
    limit: limitQuery,
    offset: z.coerce.number().pipe(z.int().min(0).max(OFFSET_MAX)).default(0),
  }),
  handle: async ({ console, query }) => ({ groups: await findGroups(console.store, query) }),
});
