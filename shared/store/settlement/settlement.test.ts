import { describe, expect, it } from "vitest";
import { uuidv7 } from "#shared/clock";
import { openTestStore } from "#shared/testing";
import type { CommitRequest, Committed, Hold } from "../ledger/ledger.ts";
import type { Finished } from "../scripts/queues.ts";
import { effectsOf } from "./settlement.ts";
import { rankOf } from "../runs/run-event.ts";
import type { Store } from "../store.ts";

/** A run whose first message is at work at `first` under `token`, and its worker's commit: a handoff to `second`. */
async function begin(store: Store) {
  const [runId, messageId, childId] = [uuidv7(), uuidv7(), uuidv7()];
  const send = { lane: "fresh", delayMs: 0, priority: "normal" } as const;
  const accepted = await store.runs.accept({
    runId,
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    team: "t",
    send: { ...send, agent: "first", jobId: messageId, data: { sealed: "{}" } },
    idempotency: null,
    idempotencyLifeMs: 60_000,
    waitingMax: 10,
  });
  expect(accepted).toMatchObject({ kind: "accepted" });
  const at = { agent: "first", queue: "first", jobId: messageId, token: "token" };
  const hold: Hold = { ...at, messageId, runId, digest: "d" };
  await store.redis.set(store.keys.lock("first", messageId), "token");
  await store.redis.rpoplpush(store.keys.job("first", "wait"), store.keys.job("first", "active"));
  const event = {
    id: `${messageId}/handed_off`,
    run_id: runId,
    type: "handed_off",
    at: "2026-01-01T00:00:00.000Z",
    message_id: messageId,
    agent: "first",
    detail: {},
  } as const;
  const request: CommitRequest = {
    scope: "final",
    outcome: '{"kind":"handed_off"}',
    cancellable: true,
    billed: { costMicro: 0, tokens: 0 },
    timeLeftMs: 0,
    effects: {
      admissions: [],
      sends: [{ ...send, agent: "second", jobId: childId, data: { sealed: "{}" } }],
      changes: [
        {
          event,
          moves: { state: "closed", rank: rankOf.closed() },
          opens: [{ message_id: childId, agent: "second" }],
          starts: true,
        },
      ],
    },
  };
  return { hold, request, runId, childId };
}

async function look(store: Store, { hold, runId, childId }: Awaited<ReturnType<typeof begin>>) {
  const messages = await store.runs.messages(runId);
  return {
    outcome: await store.redis.hget(store.keys.ledger("first", hold.messageId), "outcome"),
    isSent: (await store.queues.of("second", "fresh").getJob(childId)) !== undefined,
    isTold: messages.some((message) => message.message_id === childId),
  };
}

function settle(store: Store, hold: Hold, request: CommitRequest): Promise<Committed> {
  return store.settlement.settle(store.ledger.decide(hold, request));
}

describe("an outcome and what it sets in motion", () => {
  it("are written together", async () => {
    const store = openTestStore();
    const work = await begin(store);
    expect(await settle(store, work.hold, work.request)).toEqual({ kind: "committed" });
    expect(await look(store, work)).toEqual({
      outcome: '{"kind":"handed_off"}',
      isSent: true,
      isTold: true,
    });
    expect(await store.runs.get(work.runId)).toMatchObject({ status: "running", messages: { open: 1 } });
    // Again, as after a lost reply: the outcome stands, and nothing is there twice.
    expect(await settle(store, work.hold, work.request)).toMatchObject({ kind: "settled_before" });
    expect(await store.queues.of("second", "fresh").count()).toBe(1);
  });

  it("are neither written for a run that is being cancelled", async () => {
    const store = openTestStore();
    const work = await begin(store);
    await store.redis.set(store.keys.cancelled(work.runId), "1");
    expect(await settle(store, work.hold, work.request)).toEqual({ kind: "cancelled" });
    expect(await look(store, work)).toEqual({ outcome: null, isSent: false, isTold: false });
  });

  it("are refused with the reason where a key of the receiver is not what it should be, and come when it is", async () => {
    const store = openTestStore();
    const work = await begin(store);
    const wait = store.keys.job("second", "wait");
    await store.redis.set(wait, "not a list");
    await expect(settle(store, work.hold, work.request)).rejects.toMatchObject({ code: "KEY_DAMAGED" });
    expect(await look(store, work)).toMatchObject({ outcome: null, isSent: false });
    await store.redis.del(wait);
    expect(await settle(store, work.hold, work.request)).toEqual({ kind: "committed" });
    expect(await look(store, work)).toMatchObject({ isSent: true, isTold: true });
  });

  it("take a dead message to the inbox of the ward in the same step", async () => {
    const store = openTestStore();
    const work = await begin(store);
    const dead = { case_id: "case-1" };
    const request = { ...work.request, effects: effectsOf({ admissions: [dead] }) };
    expect(await settle(store, work.hold, request)).toEqual({ kind: "committed" });
    expect(await store.redis.lrange(store.keys.inbox(), 0, -1)).toEqual([JSON.stringify(dead)]);
  });

  it("hold delayed, low and large jobs as BullMQ writes them", async () => {
    const store = openTestStore();
    const work = await begin(store);
    const send = {
      lane: "retry",
      agent: "first",
      data: { sealed: "x" },
      delayMs: 0,
      priority: "normal",
    } as const;
    const sends = [
      { ...send, jobId: "later", delayMs: 60_000 },
      { ...send, jobId: "low", priority: "low" as const },
      { ...send, jobId: "large", data: { sealed: "x".repeat(1_900_000) } },
    ];
    await settle(store, work.hold, { ...work.request, effects: effectsOf({ sends }) });
    const queue = store.queues.of("first", "retry");
    const states = await Promise.all(sends.map(({ jobId }) => queue.getJobState(jobId)));
    expect(states).toEqual(["delayed", "prioritized", "waiting"]);
    const due = Number((await queue.getJob("later"))?.timestamp) + 60_000 - Date.now();
    expect(due).toBeGreaterThan(50_000);
    expect((await queue.getJob("low"))?.opts).toMatchObject({ attempts: 1 });
  });

  it("end the job and take the next in the same step, for who asks for it", async () => {
    const store = openTestStore();
    const work = await begin(store);
    const next = await begin(store);
    const base = store.keys.job("first", "");
    // The second run's message goes back to wait, as if nobody had taken it yet.
    await store.redis.lrem(`${base}active`, 0, next.hold.jobId);
    await store.redis.del(`${base}${next.hold.jobId}:lock`);
    await store.redis.lpush(`${base}wait`, next.hold.jobId);
    const { ledger, cancelled } = store.keys.ledgerBasesOf("first");
    const said: Finished[] = [];
    const ticket = {
      toCall: () => ({
        queueBase: base,
        finishedJobId: work.hold.jobId,
        takenMs: 1000,
        keptMax: 10,
        keptMs: null,
        takesNext: true,
        lockMs: 60_000,
        ledgerBase: ledger,
        cancelledBase: cancelled,
      }),
      used: (reply: Finished) => void said.push(reply),
      proveBy: () => undefined,
    };
    await settle(store, { ...work.hold, ticket }, work.request);
    expect(said).toEqual([expect.objectContaining({ kind: "job", id: next.hold.jobId })]);
    expect(await store.redis.lrange(`${base}active`, 0, -1)).toEqual([next.hold.jobId]);
    expect(await store.redis.zrange(`${base}completed`, "0", "-1")).toEqual([work.hold.jobId]);
    expect(await store.redis.get(`${base}${next.hold.jobId}:lock`)).toBe("token");
  });
});
