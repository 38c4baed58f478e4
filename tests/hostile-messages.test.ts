import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { now, timestamp, uuidv7 } from "#shared/clock";
import { contract } from "#shared/contract";
import { createMaster, issueKeyring } from "#shared/envelope/keys";
import { createNext } from "#shared/envelope";
import { digestOf, seal } from "#shared/envelope/seals";
import type { Envelope } from "#shared/envelope";
import type { SealedMessage } from "#shared/envelope/seals";
import { agent, edgesOf, team } from "#shared/runtime";
import type { Admission } from "#shared/store/settlement";
import type { CaseAdmission } from "#shared/ward";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";

/** Guarantee 6: of what stands in a queue, only what verifies, lives and is within limits reaches a handler. */

const Ping = contract("ping@1", z.object({ n: z.number() }));
const handled: string[] = [];
const seen = (name: string) => (_input: unknown, ctx: { complete(result: unknown): never }) => {
  handled.push(name);
  return ctx.complete(name);
};

let system: TestSystem;
let admissions: Admission[];

beforeEach(() => {
  handled.length = 0;
  admissions = [];
  const left = agent("left@1", {
    accepts: Ping,
    to: { right: Ping, looper: Ping },
    handle: seen("left") as never,
  });
  const right = agent("right@1", { accepts: Ping, to: { left: Ping }, handle: seen("right") as never });
  const looper = agent("looper@1", { accepts: Ping, to: { left: Ping }, handle: seen("looper") as never });
  system = createTestSystem(team("pingpong", [left, right, looper], { loops: ["looper>left"] }), {
    admissions,
  });
});

function nextOf(parent: Envelope, [from, to]: readonly [string, string], payload: unknown): Envelope {
  const parentDigest = digestOf(JSON.stringify(parent));
  return createNext({ parent, parentDigest, from, to, contract: "ping@1", payload });
}

/** A message of a run that was accepted; it is sealed, and not yet in a queue. */
async function draft(payload: unknown, change: (envelope: Envelope) => Envelope = (same) => same) {
  const { runId, envelope: first } = await system.submit({ n: 0 }, { to: "looper@1" });
  const envelope = change(nextOf(first, ["looper@1", "left@1"], payload));
  const { message } = seal({ envelope, queue: "left", key: system.keyring.signing("looper", "left") });
  return { runId, envelope, message };
}

async function enqueue(agentName: string, jobId: string, data: object): Promise<void> {
  await system.store.queues.add({
    lane: "fresh",
    agent: agentName,
    jobId,
    data: { ...data },
    delayMs: 0,
    priority: "normal",
  });
}

/** Makes the engine forget a finished job: a late duplicate is then a new job to it. */
async function forgetJob(agentName: string, jobId: string): Promise<void> {
  const queue = system.store.queues.of(agentName, "fresh");
  await expect.poll(async () => (await queue.getJob(jobId))?.isCompleted()).toBe(true);
  await (await queue.getJob(jobId))?.remove();
}

async function verdict(): Promise<CaseAdmission> {
  await expect.poll(() => admissions.length).toBeGreaterThan(0);
  const sealed: unknown = admissions[0]?.["sealed"];
  return JSON.parse(String(sealed));
}

async function refused(agentName: string, jobId: string, data: object): Promise<CaseAdmission> {
  await enqueue(agentName, jobId, data);
  await system.start({ only: ["left", "right"] });
  const found = await verdict();
  expect(handled).toEqual([]);
  return found;
}

const untrusted = { disposition: "quarantine", bytes: null, failures: [{ failure_class: "untrusted" }] };

describe("a message that is not what it says it is", () => {
  type Forge = (one: Awaited<ReturnType<typeof draft>>) => [data: object, id?: string, queue?: string];
  const forger = () =>
    issueKeyring({ master: createMaster(), agent: "looper", edges: edgesOf([system.team]) });

  /** A job as it lies in a queue, by default in its receiver's and under its own id. */
  const FORGED: readonly (readonly [string, Forge])[] = [
    ["changed", ({ message }) => [{ ...message, sealed: message.sealed.replace('"n":1', '"n":9') }]],
    ["copied to another's queue", ({ message, envelope }) => [message, envelope.meta.message_id, "right"]],
    ["copied under another id", ({ message }) => [message, uuidv7()]],
    [
      "signed with a key of our own making",
      ({ envelope }) => [seal({ envelope, queue: "left", key: forger().signing("looper", "left") }).message],
    ],
    ["nothing", () => [{}]],
  ];

  it("is quarantined unread, whatever it pretends to be", async () => {
    const names = new Map<string, string>();
    for (const [name, forge] of FORGED) {
      const genuine = await draft({ n: 1 });
      const [data, id = genuine.envelope.meta.message_id, queue = "left"] = forge(genuine);
      names.set(id, name);
      await enqueue(queue, id, data);
    }
    await system.start({ only: ["left", "right"] });
    // All at once: each is looked at again for a while, for the sake of a key that is on its way.
    await expect.poll(() => admissions.length).toBe(names.size);
    for (const { sealed } of admissions) {
      const found = JSON.parse(String(sealed)) as CaseAdmission;
      expect(found, names.get(found.message_id) ?? "no message of ours").toMatchObject(untrusted);
      names.delete(found.message_id);
    }
    expect([...names.values()]).toEqual([]);
    expect(handled).toEqual([]);
  });

  it("tells the run whose message was tampered with, and counts it as waiting", async () => {
    const first = await system.submit({ n: 1 });
    const job = await system.store.queues.of("left", "fresh").getJob(first.envelope.meta.message_id);
    const data = job?.data as SealedMessage;
    await job?.updateData({ ...data, sealed: data.sealed.replace('"n":1', '"n":2') });
    await system.start({ only: ["left"] });
    expect((await system.until(first.runId, ["quarantined"])).status).toBe("quarantined");
    expect(handled).toEqual([]);
  });
});

describe("a message that is genuine and too late, too early, too far or too dear", () => {
  const withMeta = (of: (envelope: Envelope) => Partial<Envelope["meta"]>) => (envelope: Envelope) => ({
    ...envelope,
    meta: { ...envelope.meta, ...of(envelope) },
  });
  const future = withMeta(() => ({
    timestamp: timestamp(now() + 600_000),
    expires_at: timestamp(now() + 900_000),
  }));
  const hops = ["gateway@1", ...Array.from({ length: 11 }, (_, i) => (i % 2 === 0 ? "left@1" : "looper@1"))];

  it.each<[string, (envelope: Envelope) => Envelope, string, object]>([
    ["was made in ten minutes", future, "quarantine", { code: "ENVELOPE_FROM_THE_FUTURE" }],
    [
      "is at its eleventh hop of ten",
      withMeta(() => ({ path: [...hops.slice(0, 11), "looper@1"], hop_count: 11 })),
      "quarantine",
      { failure_class: "hop_limit" },
    ],
    [
      "has spent its budget",
      (next) => ({ ...next, billing: { ...next.billing, cost_so_far: 2, cost_limit: 1 } }),
      "quarantine",
      { failure_class: "budget_exceeded" },
    ],
    [
      "is of no known contract",
      withMeta(() => ({ contract: "pong@1" })),
      "operate",
      { failure_class: "validation_error", code: "CONTRACT_UNKNOWN" },
    ],
    [
      "was not held against its contract by its sender",
      (next) => ({ ...next, data_payload: { n: "one" } }),
      "operate",
      { failure_class: "validation_error", direction: "in", issues: [{ path: "/n" }] },
    ],
  ])("reaches no handler where it %s", async (_, change, disposition, failure) => {
    const { message, envelope } = await draft({ n: 1 }, change);
    expect(envelope.meta.max_hops).toBe(10);
    expect(await refused("left", envelope.meta.message_id, message)).toMatchObject({
      disposition,
      failures: [failure],
    });
  });

  it("ends its run when it has expired", async () => {
    const { meta } = (await system.submit({ n: 1 }, { to: "right@1" })).envelope;
    expect(Date.parse(meta.expires_at ?? "") - Date.parse(meta.timestamp), "a day").toBe(86_400_000);
    const { runId } = await system.submit({ n: 1 }, { ttlMs: 1 });
    await new Promise((resolve) => setTimeout(resolve, 5));
    await system.start({ only: ["left"] });
    const run = await system.until(runId);
    expect(run).toMatchObject({ status: "expired", error: { class: "expired" } });
    expect(handled).toEqual([]);
  });

  it("is quarantined when it comes back where the team allows no loop", async () => {
    const { runId, envelope: first } = await system.submit({ n: 0 }, { to: "looper@1" });
    const toLeft = nextOf(first, ["looper@1", "left@1"], { n: 1 });
    const toRight = nextOf(toLeft, ["left@1", "right@1"], { n: 2 });
    const back = nextOf(toRight, ["right@1", "left@1"], { n: 3 });
    const { message } = seal({ envelope: back, queue: "left", key: system.keyring.signing("right", "left") });
    expect(runId).toBe(back.meta.run_id);
    expect(await refused("left", back.meta.message_id, message)).toMatchObject({
      disposition: "quarantine",
      failures: [{ failure_class: "loop_detected" }],
    });
  });
});

describe("a message that was handled before", () => {
  it("replays its outcome and never runs its handler again", async () => {
    const { runId, envelope } = await system.submit({ n: 1 });
    const queue = system.store.queues.of("left", "fresh");
    const data = (await queue.getJob(envelope.meta.message_id))?.data;
    await system.start({ only: ["left"] });
    await system.until(runId);
    await forgetJob("left", envelope.meta.message_id);
    await enqueue("left", envelope.meta.message_id, data);
    await expect.poll(async () => (await queue.getJob(envelope.meta.message_id))?.isCompleted()).toBe(true);
    expect(handled).toEqual(["left"]);
    expect(await system.store.runs.counts()).toMatchObject({ submitted: 1, completed: 1 });
  });

  it("is quarantined when the same id comes with other bytes", async () => {
    const { runId, envelope } = await system.submit({ n: 1 });
    await system.start({ only: ["left"] });
    await system.until(runId);
    await forgetJob("left", envelope.meta.message_id);
    const other = { ...envelope, data_payload: { n: 2 } };
    const { message } = seal({
      envelope: other,
      queue: "left",
      key: system.keyring.signing("gateway", "left"),
    });
    await enqueue("left", envelope.meta.message_id, message);
    expect(await verdict()).toMatchObject({
      ...untrusted,
      run_id: "",
      failures: [{ failure_class: "untrusted", code: "MESSAGE_BYTES_DIFFER" }],
    });
    expect(handled).toEqual(["left"]);
    expect(await system.store.runs.get(runId)).toMatchObject({ status: "completed" });
  });

  it("is told to its run when other bytes stand where it was begun and not settled", async () => {
    const { runId, envelope } = await system.submit({ n: 1 });
    const { redis, keys } = system.store;
    const id = envelope.meta.message_id;
    // Its first worker died on the way; then somebody changed what is stored.
    await redis.hset(keys.ledger("left", id), "digest", digestOf(JSON.stringify(envelope)), "s:step/a", "1");
    const job = keys.job("left", id);
    const stored = await redis.hget(job, "data");
    await redis.hset(job, "data", stored?.replace('n\\":1', 'n\\":9') ?? "");
    await system.start({ only: ["left"] });
    expect(await verdict()).toMatchObject({ ...untrusted, message_id: id, run_id: runId });
    expect(handled).toEqual([]);
    const { messages } = await system.until(runId, ["in_ward", "quarantined"]);
    expect(messages.open).toBe(0);
  });
});
