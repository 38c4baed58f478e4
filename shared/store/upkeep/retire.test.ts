import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { setClock, uuidv7 } from "#shared/clock";
import { openTestStore } from "#shared/testing";
import { rankOf } from "../runs/run-event.ts";
import type { RunEnd } from "../runs/run-event.ts";
import type { Store } from "../store.ts";
import { Consumer } from "../queues/consume.ts";
import { PRESENCE_MS_MAX } from "../registry.ts";
import { retireAbsent, retireRuns } from "./retire.ts";

function openStore(retentionMs: number): Store {
  return openTestStore({ retentionMs, ledgerLifeMs: retentionMs });
}

async function accept(store: Store): Promise<string> {
  const runId = uuidv7();
  const accepted = await store.runs.accept({
    runId,
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    team: "t",
    send: { lane: "fresh", agent: "a", jobId: `${runId}-0`, data: {}, delayMs: 0, priority: "normal" },
    idempotency: { key: runId, digest: "d" },
    idempotencyLifeMs: store.options.retentionMs,
    waitingMax: 100_000,
  });
  if (accepted.kind !== "accepted") throw new Error(accepted.kind);
  return runId;
}

async function move(
  store: Store,
  runId: string,
  to: { state: "open" | "in_ward" | "quarantined" | "closed"; end?: RunEnd },
): Promise<void> {
  const rank =
    to.state === "closed" ? rankOf.closed() : to.state === "open" ? rankOf.delivery(1) : rankOf.ward(0);
  await store.journal.apply([
    {
      event: {
        id: `${runId}:${rank}`,
        run_id: runId,
        type: "completed",
        at: "2026-01-01T00:00:00.000Z",
        message_id: `${runId}-0`,
        agent: "a",
        detail: {},
      },
      moves: { state: to.state, rank },
      starts: true,
      ...(to.end === undefined ? {} : { end: to.end }),
    },
  ]);
}

async function keysOf(store: Store, part: string): Promise<string[]> {
  return (await store.redis.keys(`${store.keys.prefix}:*`)).filter((key) => key.includes(part)).toSorted();
}

/** Resolves once Redis has let every record of these runs go. */
async function untilGone(store: Store, runIds: readonly string[]): Promise<void> {
  await expect
    .poll(async () => Promise.all(runIds.map((id) => store.redis.exists(store.keys.run(id)))))
    .toEqual(runIds.map(() => 0));
}

describe("runs that ended longer than the retention ago", () => {
  it("leave nothing but their counts, and what waits keeps everything", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.constantFrom("completed", "failed", "expired", "cancelled", "open", "in_ward", "quarantined"),
          {
            minLength: 1,
            maxLength: 12,
          },
        ),
        async (fates) => {
          const store = openStore(30);
          const runs = await Promise.all(
            fates.map(async (fate) => {
              const runId = await accept(store);
              if (fate === "open" || fate === "in_ward" || fate === "quarantined")
                await move(store, runId, { state: fate });
              else if (fate === "completed") await move(store, runId, { state: "closed" });
              else await move(store, runId, { state: "closed", end: fate });
              return { runId, waits: fate === "open" || fate === "in_ward" || fate === "quarantined" };
            }),
          );
          const before = await store.runs.counts();
          const waiting = runs.filter((run) => run.waits).map((run) => run.runId);
          const ended = runs.filter((run) => !run.waits).map((run) => run.runId);
          await untilGone(store, ended);
          expect(await retireRuns(store)).toBe(ended.length);
          expect(await store.runs.counts()).toEqual(before);
          const left = await keysOf(store, "}/runs/");
          const indexes = left.filter((key) => key.includes("}/runs/index"));
          const members = await Promise.all(indexes.map((key) => store.redis.zrange(key, "0", "-1")));
          expect(new Set(members.flat())).toEqual(new Set(waiting));
          for (const id of ended) expect(left.filter((key) => key.includes(id))).toEqual([]);
          for (const id of waiting) expect((await store.runs.get(id)).run_id).toBe(id);
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe("an agent that nobody works for", () => {
  it("leaves nothing behind once all that it did has reached its age, and what waits stays", async () => {
    const store = openStore(300);
    const presence = {
      version: 1,
      team: "t",
      accepts: "x@1",
      capabilities: [],
      description: "",
      concurrency: 1,
    };
    const at = { instance: "i", pid: 1, started_ms: 0 };
    const names = ["gone", "waits"];
    await store.registry.announce(names.map((agent) => ({ ...presence, ...at, agent })));
    expect([...(await store.registry.absent()).keys()]).toEqual([]);
    const send = (agent: string, jobId: string): Promise<void> =>
      store.queues.add({ lane: "fresh", agent, jobId, data: {}, delayMs: 0, priority: "normal" });
    for (const agent of names) await send(agent, `${agent}-1`);
    for (const agent of names) {
      const consumer = new Consumer(store, {
        agent,
        lane: "fresh",
        concurrency: 1,
        lockMs: 1000,
        stalledIntervalMs: 1000,
        handle: () => Promise.resolve("done"),
        onError: () => undefined,
      });
      consumer.start();
      const completed = store.keys.job(agent, "completed");
      await expect.poll(() => store.redis.zcard(completed)).toBe(1);
      await consumer.close();
      const claim = store.keys.once(agent, "pay", null);
      await store.redis.hset(claim, "state", "done", "run_id", "");
      await store.redis.zadd(store.keys.claims(agent), Date.now(), claim);
    }
    await send("waits", "waits-2");
    await store.registry.leave(names.map((agent) => ({ ...at, agent })));
    onTestFinished(setClock({ now: () => Date.now() + PRESENCE_MS_MAX + 1 }));
    expect([...(await store.registry.absent()).keys()].toSorted()).toEqual(names);
    await new Promise((resolve) => setTimeout(resolve, 400));
    await retireAbsent(store, 0);
    const leftOf = async (agent: string): Promise<string[]> =>
      [
        ...(await store.redis.keys(store.keys.job(agent, "*"))),
        ...(await store.redis.keys(`${store.keys.queuePrefix}/*/${agent}*`)),
      ].filter((key) => !/:(meta|id|marker|events|stalled|stalled-check|pc)$/.test(key));
    expect(await leftOf("gone")).toEqual([]);
    const waiting = ["wait", "waits-2"].map((name) => store.keys.job("waits", name));
    expect((await leftOf("waits")).toSorted()).toEqual(waiting);
    expect([...(await store.registry.absent()).keys()]).toEqual(["waits"]);
  });
});
