import { z } from "zod";
import { operation } from "../operation.ts";
import { limitQuery } from "./request-fields.ts";

/** What people did, newest first; what is not as it was written says so. */
export const listPeopleAudit = operation({
  id: "listPeopleAudit",
  role: "viewer",
  query: z.strictObject({ limit: limitQuery }),
  handle: async ({ console: { audit }, query }) => ({ records: await audit.newest(query.limit) }),
});

const RECORDS_MAX = 1000;
const OFFSET_MAX = 100_000_000;

/** The records as they are stored, oldest first, with what it takes to hold them against each other. */
export const exportPeopleAudit = operation({
  id: "exportPeopleAudit",
  role: "viewer",
  query: z.strictObject({
    offset: z.coerce.number().pipe(z.int().min(0).max(OFFSET_MAX)).default(0),
    limit: z.coerce.number().pipe(z.int().min(1).max(RECORDS_MAX)).default(RECORDS_MAX),
  }),
  async handle({ console: { audit }, query: { offset, limit }, reply }) {
    void reply.header("content-type", "application/json; charset=utf-8");
    // As text, so that nothing rewrites what was signed; secrets were masked before that.
    return JSON.stringify(await audit.page(offset, limit));
  },
});
