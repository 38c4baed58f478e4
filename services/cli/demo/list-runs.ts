import { z } from "zod";
import { callApi } from "../http/call-api.ts";
import type { Api } from "../http/call-api.ts";
import { persist } from "../http/persist.ts";

const runSchema = z.object({
  run_id: z.string(),
  team: z.string(),
  status: z.string(),
  billing: z.object({ cost_so_far: z.number() }),
});

const pageSchema = z.object({ runs: z.array(runSchema), next_cursor: z.string().nullable() });

export type RunLine = z.output<typeof runSchema>;

const PAGE = 200;

/** Every run there is, as the gateway lists them. */
export async function listRuns(gateway: Api, signal: AbortSignal): Promise<RunLine[]> {
  const runs: RunLine[] = [];
  let cursor: string | undefined;
  do {
    const request = { path: "/v1/runs", query: { limit: PAGE, cursor }, signal };
    const page = pageSchema.parse(await persist(() => callApi(gateway, request), signal));
    runs.push(...page.runs);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return runs;
}
