import { expect, test } from "vitest";
import { z } from "zod";
import { startTestConsole } from "./testing/start-test-console.ts";
import type { TestConsole } from "./testing/start-test-console.ts";

const pageForm = z.object({
  runs: z.array(z.looseObject({ run_id: z.string(), status: z.string() })),
  next_cursor: z.string().nullable(),
});
const runForm = z.looseObject({
  status: z.string(),
  result: z.unknown(),
  hops: z.array(z.looseObject({ agent: z.string().nullable() })),
  events: z.array(z.looseObject({ type: z.string() })).optional(),
});

const ORDER = { order_id: "A-1", amount: 2, note: "" };

async function list(console: TestConsole, query = ""): Promise<z.output<typeof pageForm>> {
  return pageForm.parse(await (await console.send(`/v1/runs${query}`, { key: "viewer" })).json());
}

test("pages through runs, newest first, and filters them by status and team", async () => {
  const console = await startTestConsole();
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.unshift((await console.system.submit(ORDER)).runId);
  const first = await list(console, "?limit=3");
  const rest = await list(console, `?limit=3&cursor=${first.next_cursor}`);
  expect([...first.runs, ...rest.runs].map(({ run_id }) => run_id)).toEqual(ids);
  expect(rest.next_cursor).toBeNull();
  expect((await list(console, "?status=queued&team=con-orders")).runs).toHaveLength(5);
  for (const none of ["?status=failed", "?team=another"])
    expect((await list(console, none)).runs).toEqual([]);
  for (const wrong of ["?status=lost", "?limit=201", "?cursor=abc"])
    expect((await console.send(`/v1/runs${wrong}`)).status).toBe(422);
});

test("shows a run once it has ended, with its hops, and with its log where that is asked for", async () => {
  const console = await startTestConsole();
  const { runId } = await console.system.submit(ORDER);
  const shown = console.send(`/v1/runs/${runId}?wait=30&include=events`, { key: "viewer" });
  await console.system.start();
  const run = runForm.parse(await (await shown).json());
  expect(run).toMatchObject({ status: "completed", result: { booked: "A-1", amount: 2 } });
  expect(run.hops.map(({ agent }) => agent)).toEqual(["con-book"]);
  expect(run.events?.map(({ type }) => type)).toContain("completed");
  expect(runForm.parse(await (await console.send(`/v1/runs/${runId}`)).json()).events).toBeUndefined();
  expect((await console.send("/v1/runs/none")).status).toBe(404);
});

test("cancels a run for operators alone, once, and writes down who did it", async () => {
  const console = await startTestConsole();
  const { runId } = await console.system.submit(ORDER);
  const cancel = (key: "viewer" | "operator"): Promise<Response> =>
    console.post(`/v1/runs/${runId}/cancel`, undefined, { key });
  expect((await cancel("viewer")).status).toBe(403);
  expect((await list(console, "?status=queued")).runs).toHaveLength(1);
  expect((await cancel("operator")).status).toBe(200);
  await console.system.start();
  await console.system.until(runId, ["cancelled"]);
  expect(await (await cancel("operator")).json()).toMatchObject({ status: "cancelled" });
  const log = await (await console.send("/v1/audit/people")).text();
  expect(log).toContain("run.cancel");
  expect(log).toContain("olga");
});
