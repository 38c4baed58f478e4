import { expect, it } from "vitest";
import { uuidv7 } from "#shared/clock";
import { openTestStore } from "#shared/testing";
import type { Store } from "../store.ts";
import { PUSH_PREFIX } from "./push-targets.ts";

const LEASE_MS = 60_000;

/** A run with one target, which is due. */
async function accept(store: Store): Promise<string> {
  const runId = uuidv7();
  const accepted = await store.runs.accept({
    runId,
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    team: "t",
    send: { lane: "fresh", agent: "a", jobId: `${runId}-0`, data: {}, delayMs: 0, priority: "normal" },
    push: { id: "one", target: "first" },
    idempotency: null,
    idempotencyLifeMs: 60_000,
    waitingMax: 100,
  });
  expect(accepted.kind).toBe("accepted");
  return runId;
}

it("writes nothing in place of a target that was removed or written anew since it was read", async () => {
  const store = openTestStore();
  const { pushTargets } = store;
  const runId = await accept(store);
  await store.redis.hdel(store.keys.run(runId), `${PUSH_PREFIX}one`);
  expect(await pushTargets.set(runId, { id: "one", target: "told" }, "first")).toBe(false);
  expect((await pushTargets.list(runId)).size).toBe(0);
  expect(await pushTargets.set(runId, { id: "one", target: "second" })).toBe(true);
  expect(await pushTargets.set(runId, { id: "one", target: "told" }, "first")).toBe(false);
  expect(await pushTargets.set(runId, { id: "one", target: "told" }, "second")).toBe(true);
  expect([...(await pushTargets.list(runId))]).toEqual([["one", "told"]]);
});

it("keeps a run due for which a target has come while it was served", async () => {
  const store = openTestStore();
  const runId = await accept(store);
  const [lease] = await store.pushTargets.take(10, LEASE_MS);
  if (lease === undefined) throw new Error("nothing is due");
  await store.redis.zadd(store.keys.runs("index:push"), Date.now(), runId);
  await store.pushTargets.settle(lease, null);
  const [again] = await store.pushTargets.take(10, LEASE_MS);
  expect(again?.runId).toBe(runId);
  if (again !== undefined) await store.pushTargets.settle(again, null);
  expect(await store.redis.zcard(store.keys.runs("index:push"))).toBe(0);
});
