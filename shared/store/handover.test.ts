import { describe, expect, it, onTestFinished } from "vitest";
import { derivedId, now, timestamp, uuidv7 } from "#shared/clock";
import { testPrefix, testRedisUrl } from "#shared/testing";
import { LockLostError, rankOf, Store } from "./index.ts";
import type { CommitRequest, Hold, StoreOptions } from "./index.ts";

const OUTCOME = '{"kind":"handed_off"}';
const NOTHING = { outcome: null, waiting: 0, owed: 0, told: 0 };

/** A run whose first message is held by a worker that is about to hand on. */
async function openHandoff(options: Partial<StoreOptions> = {}) {
  const store = new Store({
    url: testRedisUrl(),
    prefix: testPrefix(),
    role: "worker",
    retentionMs: 3_600_000,
    ledgerLifeMs: 3_600_000,
    onError: () => undefined,
    admit: () => Promise.resolve(),
    ...options,
  });
  onTestFinished(() => store.close());
  const [runId, messageId] = [uuidv7(), uuidv7()];
  const send = (agent: string, jobId: string) =>
    ({ lane: "fresh", agent, jobId, data: { n: 1 }, delayMs: 0, priority: "normal" }) as const;
  await store.runs.accept({
    runId,
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    team: "pair",
    send: send("first", messageId),
    webhook: null,
    idempotency: null,
    idempotencyLifeMs: 60_000,
    waitingMax: 100,
  });
  const hold: Hold = {
    agent: "first",
    queue: "first",
    jobId: messageId,
    token: "mine",
    messageId,
    runId,
    digest: "d",
  };
  await store.redis.set(store.keys.lock("first", "first", messageId), hold.token);
  const childId = derivedId(messageId, "child");
  const event = {
    id: derivedId(messageId, "handed_off"),
    run_id: runId,
    type: "handed_off",
    at: timestamp(),
    message_id: messageId,
    agent: "first",
    detail: {},
  } as const;
  const request: CommitRequest = {
    scope: "final",
    outcome: OUTCOME,
    outbox: {
      id: derivedId(messageId, "settled"),
      at_ms: now(),
      changes: [
        {
          event,
          moves: { state: "closed", rank: rankOf.closed() },
          opens: [{ message_id: childId, agent: "second" }],
          starts: true,
        },
      ],
      sends: [send("second", childId)],
      admissions: [],
    },
    cancellable: true,
    billed: { costMicro: 0, tokens: 0 },
  };
  const left = async () => {
    const [outcome, waiting, owed, events] = await Promise.all([
      store.redis.hget(store.keys.ledger("first", messageId), "outcome"),
      store.queues.of("second", "fresh").getWaitingCount(),
      store.outbox.pending("first"),
      store.runs.events(runId, { from: 0, limit: 10 }).catch(() => []),
    ]);
    return { outcome, waiting, owed, told: events.filter(({ type }) => type === "handed_off").length };
  };
  return { store, runId, hold, request, left };
}

describe("a handover", () => {
  it("writes the outcome, the next message and the run in one step, and owes nothing", async () => {
    const { store, hold, request, left } = await openHandoff();
    expect(await store.handover.commit(hold, request)).toEqual({ kind: "committed", isDelivered: true });
    expect(await left()).toEqual({ outcome: OUTCOME, waiting: 1, owed: 0, told: 1 });
  });

  it("writes nothing at all for a worker that has lost its lock", async () => {
    const { store, hold, request, left } = await openHandoff();
    const zombie = { ...hold, token: "old" };
    await expect(store.handover.commit(zombie, request)).rejects.toBeInstanceOf(LockLostError);
    expect(await left()).toEqual(NOTHING);
  });

  it("writes nothing at all for a run that was cancelled meanwhile", async () => {
    const { store, hold, request, runId, left } = await openHandoff();
    await store.runs.cancel({ runId, agents: ["first", "second"], by: "a test", markLifeMs: 60_000 });
    expect(await store.handover.commit(hold, request)).toEqual({ kind: "cancelled" });
    expect(await left()).toEqual(NOTHING);
  });

  it("hands on once when its reply is lost and it is sent again", async () => {
    const { store, hold, request, left } = await openHandoff();
    await store.handover.commit(hold, request);
    expect(await store.handover.commit(hold, request)).toEqual({ kind: "settled_before", outcome: OUTCOME });
    expect(await left()).toEqual({ outcome: OUTCOME, waiting: 1, owed: 0, told: 1 });
  });

  it("keeps the outcome, and owes the rest, where a key of the run is spoilt and the script fails half-way", async () => {
    const { store, hold, request, runId, left } = await openHandoff();
    const key = store.keys.run(runId);
    const record = await store.redis.hgetall(key);
    await store.redis.del(key);
    await store.redis.set(key, "spoilt");
    expect(await store.handover.commit(hold, request)).toEqual({ kind: "committed", isDelivered: false });
    expect(await left()).toEqual({ outcome: OUTCOME, waiting: 1, owed: 1, told: 0 });
    await store.redis.del(key);
    await store.redis.hset(key, record);
    expect(await store.outbox.relay("first", 0)).toBe(1);
    expect(await left()).toEqual({ outcome: OUTCOME, waiting: 1, owed: 0, told: 1 });
  });

  it("owes what it sets in motion where that is chosen", async () => {
    const { store, hold, request, left } = await openHandoff({ handover: "outbox" });
    expect(await store.handover.commit(hold, request)).toEqual({ kind: "committed", isDelivered: false });
    expect(await left()).toEqual({ outcome: OUTCOME, waiting: 0, owed: 1, told: 0 });
  });
});
