import { z } from "zod";
import { peopleRecordSchema } from "#shared/people";
import { refusedAttemptSchema } from "#shared/store";
import { auditEntrySchema } from "#shared/store/cases";
import { ADMINS, limitQuery, VIEWERS } from "./fields.ts";
import { get } from "./operation.ts";
import type { DeclaredApi } from "./operation.ts";

const RECORDS_MAX = 1000;
const OFFSET_MAX = 100_000_000;

export const AUDIT = {
  listAudit: {
    ...get("/v1/audit", VIEWERS),
    summary: "List the ward's log of who did what, newest first; a plain log, unlike /v1/audit/people",
    query: z.strictObject({
      limit: limitQuery,
      before: z.iso
        .datetime({ offset: true })
        .exactOptional()
        .meta({ description: "Only lines written before this time. Default: the newest." }),
    }),
    answers: { 200: z.object({ audit: z.array(auditEntrySchema) }) },
  },
  listPeopleAudit: {
    ...get("/v1/audit/people", VIEWERS),
    summary: "List what people did, newest first, with what is not as it was written",
    query: z.strictObject({ limit: limitQuery }),
    answers: {
      200: z.object({
        records: z.array(
          z.object({
            record: peopleRecordSchema.nullable().meta({ description: "Null where it cannot be read." }),
            fault: z.object({ number: z.int(), problem: z.string() }).nullable(),
          }),
        ),
      }),
    },
  },
  exportPeopleAudit: {
    ...get("/v1/audit/people/records", VIEWERS),
    summary: "Read the records as they are stored, oldest first, which is itself logged",
    query: z.strictObject({
      offset: z.coerce.number().pipe(z.int().min(0).max(OFFSET_MAX)).default(0),
      limit: z.coerce.number().pipe(z.int().min(1).max(RECORDS_MAX)).default(RECORDS_MAX),
    }),
    // Nothing may rewrite what the next record names by its digest; secrets were masked before that.
    isMasked: false,
    answers: {
      200: z.object({
        records: z.array(z.string()).meta({ description: "JSON texts, as they were written." }),
        head: z.string().nullable(),
      }),
    },
  },
  listRefusals: {
    ...get("/v1/refusals", ADMINS),
    summary: "List attempts that the gateway and the console refused, newest first",
    query: z.strictObject({ limit: limitQuery }),
    answers: {
      200: z.object({ refusals: z.array(refusedAttemptSchema) }),
    },
  },
} as const satisfies DeclaredApi;
