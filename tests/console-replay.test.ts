import { expect, test } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
import { startTestConsole } from "../services/console/testing/start-test-console.ts";
import type { TestConsole } from "../services/console/testing/start-test-console.ts";
import { startTestGateway } from "../services/gateway/testing/start-test-gateway.ts";

/** A step of a run is run again from the console, by a gateway, as a new run. */

const Order = contract(
  "again.order@1",
  z.strictObject({
    order_id: z.string().min(3),
    amount: z.number().max(1000),
    iban: z.string().meta({ "x-sensitive": true }),
  }),
);
const take = agent("again-take@1", {
  accepts: Order,
  to: { "again-book": Order },
  handle: (order, ctx) => ctx.handoff("again-book", { ...order, amount: order.amount * 2 }),
});
const book = agent("again-book@1", {
  accepts: Order,
  handle: (order, ctx) => ctx.complete({ booked: order.order_id, amount: order.amount, to: order.iban }),
});
const IBAN = "DE89370400440532013000";
const ORDER = { order_id: "AB-7", amount: 40, iban: IBAN };

async function open() {
  const system = createTestSystem(team("again", [take, book]));
  const console = await startTestConsole({}, [], system);
  await system.start();
  const { runId } = await system.submit(ORDER);
  await system.until(runId);
  return { system, console, runId };
}

/** The run that began, or the problem. */
interface Told {
  readonly run_id: string;
}

const replay = async (
  console: TestConsole,
  runId: string,
  body: object,
  key: "viewer" | "operator" = "operator",
): Promise<{ status: number; told: Told }> => {
  const answer = await console.post(`/v1/runs/${runId}/replay`, body, { key });
  return { status: answer.status, told: (await answer.json()) as Told };
};

test("a step runs again with an edited payload, as a new run; what was masked is the message's own", async () => {
  const { system, console, runId } = await open();
  await startTestGateway({ system });
  const messages = await system.store.runs.messages(runId);
  const handedOn = messages.find((one) => one.agent === "again-book")?.message_id ?? "";
  const steps = (await (await console.send(`/v1/runs/${runId}/steps`, { key: "operator" })).json()) as {
    steps: { message_id: string; kind: string; input: { value: { iban: string } } }[];
  };
  const shown = steps.steps.find((one) => one.message_id === handedOn && one.kind === "delivery")?.input
    .value;
  expect(shown?.iban).not.toContain(IBAN);
  const edited = await replay(console, runId, {
    message_id: handedOn,
    data_payload: { ...shown, amount: 15 },
    why: "the amount was doubled",
  });
  expect(edited.status).toBe(202);
  const begun = await system.until(edited.told.run_id);
  expect(begun).toMatchObject({ status: "completed", result: { booked: "AB-7", amount: 15, to: IBAN } });
  // From its beginning, with what was recorded.
  const whole = await replay(console, runId, {});
  expect(await system.until(whole.told.run_id)).toMatchObject({ result: { amount: 80, to: IBAN } });
  const { audit } = (await (await console.send("/v1/audit")).json()) as { audit: object[] };
  expect(audit).toContainEqual(
    expect.objectContaining({
      by: "olga",
      action: "run.replay",
      why: "the amount was doubled",
      detail: { run_id: runId, message_id: handedOn, begun: edited.told.run_id },
    }),
  );
});

test("says at its place what a payload lacks, that a mask stands elsewhere, and refuses viewers and other messages", async () => {
  const { system, console, runId } = await open();
  await startTestGateway({ system });
  const wrong = await replay(console, runId, { data_payload: { ...ORDER, amount: 5000 } });
  expect(wrong).toMatchObject({ status: 422, told: { errors: [{ pointer: "/data_payload/amount" }] } });
  const masked = await replay(console, runId, { data_payload: { ...ORDER, order_id: "[sensitive]" } });
  expect(masked).toMatchObject({ status: 422, told: { errors: [{ pointer: "/data_payload/order_id" }] } });
  expect((await replay(console, runId, {}, "viewer")).status).toBe(403);
  expect((await replay(console, runId, { message_id: crypto.randomUUID() })).status).toBe(404);
  expect((await replay(console, crypto.randomUUID(), {})).status).toBe(404);
  expect(await system.store.replays.read()).toEqual({});
});

test("two gateways begin one run for one order; without any it is taken back and nothing begins later", async () => {
  const { system, console, runId } = await open();
  const lonely = await replay(console, runId, {});
  expect(lonely).toMatchObject({ status: 503, told: { code: "no_gateway" } });
  const before = (await system.store.runs.list({ limit: 50 })).length;
  await startTestGateway({ system });
  await startTestGateway({ system });
  const { told } = await replay(console, runId, {});
  await system.until(told.run_id);
  const after = (await system.store.runs.list({ limit: 50 })).length;
  expect(after).toBe(before + 1);
});
