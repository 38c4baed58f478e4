import { answerOf, openClient } from "../http/call-api.ts";
import type { Api, JsonOf } from "../http/call-api.ts";
import { persist } from "../http/persist.ts";

export type RunLine = JsonOf<"listRuns">["runs"][number];

const PAGE = 200;

/** Every run there is, as the gateway lists them. */
export async function listRuns(gateway: Api, signal: AbortSignal): Promise<RunLine[]> {
  const runs: RunLine[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const call = () => answerOf(openClient(gateway).GET("/v1/runs", { params: { query }, signal }));
    const page: JsonOf<"listRuns"> = await persist(call, signal);
    runs.push(...page.runs);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return runs;
}
