import { z } from "zod";
import { callApi } from "../http/call-api.ts";
import type { Api } from "../http/call-api.ts";

const pageSchema = z.object({
  records: z.array(z.string()),
  head: z.string().nullable(),
  remembered: z.object({ count: z.number(), digest: z.string() }).nullable(),
  keys: z.string(),
});

/** A stretch of the records of what people did, as the console keeps them. */
export type RecordPage = z.output<typeof pageSchema>;

const PAGE = 1000;

/** Reads all records, oldest first, a page at a time; at least one page, which may be empty. */
export async function* readRecords(api: Api): AsyncGenerator<RecordPage> {
  for (let offset = 0; ; offset += PAGE) {
    const answer = await callApi(api, {
      path: "/api/v1/audit/people/records",
      query: { offset, limit: PAGE },
    });
    const page = pageSchema.parse(answer);
    yield page;
    if (page.records.length < PAGE) return;
  }
}
