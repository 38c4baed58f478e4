import { expect, it } from "vitest";
import { orderPause } from "#shared/people";
import { decide } from "#shared/ward/decisions";
import { openSurgeonTestSystem } from "../testing/surgeon-test-system.ts";

it("carries out a decision whose job was lost, signed anew for each move that the surgeon makes meanwhile", async () => {
  const system = await openSurgeonTestSystem();

  await system.start();
  const { runId } = await system.submit({ order_id: "A-1234" });
  const one = await system.untilCase(runId, ({ status }) => status === "admitted");
  const queue = system.store.queues.of("ward", "ward");
  await orderPause(system, { agent: "ward", is_paused: true, by: "ada" });
  await queue.pause();
  await decide(system, { case_id: one.case_id, decision: "discard", by: "ada", why: "spam" });
  await queue.obliterate({ force: true });
  await queue.pause();
  const surgeon = system.startSurgeon();
  const restarted = await system.untilCase(runId, ({ restarts }) => restarts === 1);
  expect(restarted.decision).toMatchObject({ by: "ada", seal: { key_id: "surgeon>ward#1" } });
  await queue.obliterate({ force: true });
  await system.untilCase(runId, ({ restarts }) => restarts === 2);
  await orderPause(system, { agent: "ward", is_paused: false, by: "ada" });
  await queue.resume();
  const done = await system.untilCase(runId, ({ status }) => status === "discarded");
  expect(done.case_id).toBe(one.case_id);
  await surgeon.stop(0);
});
