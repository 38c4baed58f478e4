import { expect, test } from "vitest";
import { z } from "zod";
import { startTestConsole } from "./testing/start-test-console.ts";

const runForm = z.looseObject({
  status: z.string(),
  result: z.unknown(),
  hops: z.array(z.looseObject({ agent: z.string().nullable() })),
  events: z.array(z.looseObject({ type: z.string() })).optional(),
});

const ORDER = { order_id: "A-1", amount: 2, note: "" };

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

test("cancels a run once, and writes down who did it", async () => {
  const console = await startTestConsole();
  const { runId } = await console.system.submit(ORDER);
  const cancel = (): Promise<Response> =>
    console.post(`/v1/runs/${runId}/cancel`, undefined, { key: "operator" });
  expect((await cancel()).status).toBe(200);
  await console.system.start();
  await console.system.until(runId, ["cancelled"]);
  expect(await (await cancel()).json()).toMatchObject({ status: "cancelled" });
  const log = await (await console.send("/v1/audit/people")).text();
  expect(log).toContain("run.cancel");
  expect(log).toContain("olga");
});
