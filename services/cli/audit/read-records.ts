import { answerOf, openClient } from "../http/call-api.ts";
import type { Api, JsonOf } from "../http/call-api.ts";

/** A stretch of the records of what people did, as the console keeps them. */
type RecordPage = JsonOf<"exportPeopleAudit">;

const PAGE = 1000;

/** Reads all records, oldest first, a page at a time; at least one page, which may be empty. */
export async function* readRecords(api: Api): AsyncGenerator<RecordPage> {
  for (let offset = 0; ; offset += PAGE) {
    const params = { query: { offset, limit: PAGE } };
    const page = await answerOf(openClient(api).GET("/v1/audit/people/records", { params }));
    yield page;
    if (page.records.length < PAGE) return;
  }
}
