import { Worker } from "bullmq";
import { describe, expect, it, onTestFinished } from "vitest";
import { SutureError } from "#shared/errors";
import { testRedisUrl } from "#shared/testing";
import type { Batch, BatchRequest, BatchRunner } from "#shared/ward/batches";
import { groupBatches } from "#shared/ward/decisions";
import { openAttachedOrders } from "../services/console/testing/open-attached-orders.ts";
import { openSurgeonTestSystem } from "../services/surgeon/testing/surgeon-test-system.ts";

/** One contract for batches of both sources, each with what carries them out in a deployment. */

const COUNT = 6;
const PATIENCE = { timeout: 60_000, interval: 20 };

interface Bench {
  readonly batches: BatchRunner;
  readonly fingerprint: string;
  /** A decision that can be undone. */
  readonly undoable: BatchRequest["decision"];
  /** Mends what all of the group's messages died of. */
  readonly mend: () => void;
  /** How many of the group wait for a person. */
  readonly waiting: () => Promise<number>;
}

/** An agent whose tool is away, and a surgeon. */
async function openOwnCases(): Promise<Bench> {
  let isAway = true;
  const system = await openSurgeonTestSystem({
    limits: { resendDelayMs: 1 },
    handle: (input, ctx) => {
      if (!isAway) return ctx.complete({ order_id: input.order_id });
      throw new SutureError({
        code: "TOOL_AWAY",
        failureClass: "transient",
        message: "away",
        remedy: "wait",
      });
    },
  });
  // People decide here: no model is asked.
  onTestFinished(() => expect(system.endpoint.questions).toEqual([]));
  await system.start();
  system.startSurgeon();
  for (let n = 0; n < COUNT; n += 1) await system.submit({ order_id: `A-100${n}`, seats: 1 });
  const { cases } = system.store;
  const waiting = async (): Promise<number> => (await cases.counts()).quarantined;
  await expect.poll(waiting, PATIENCE).toBe(COUNT);
  const [group] = await cases.groups.list({ offset: 0, limit: 5 });
  return {
    batches: groupBatches(system.store),
    fingerprint: group?.fingerprint ?? "",
    undoable: "discard",
    mend: () => (isAway = false),
    waiting,
  };
}

/** A queue whose processor's tool is away, and a console. */
async function openAttachedJobs(): Promise<Bench> {
  let isAway = true;
  const { queue, attached } = openAttachedOrders();
  const own = attached.list[0];
  if (own === undefined) throw new Error("There is no attached queue.");
  const orders = Array.from({ length: COUNT }, () => ({ order: "o", amount: "12", paid: true }));
  await queue.addBulk(orders.map((data) => ({ name: "order", data })));
  const process = (): Promise<string> =>
    isAway ? Promise.reject(new Error("the tool is away")) : Promise.resolve("done");
  const connection = { url: testRedisUrl(), maxRetriesPerRequest: null };
  const worker = new Worker("orders", process, { connection, prefix: queue.opts.prefix ?? "bull" });
  onTestFinished(async () => {
    await worker.close();
    attached.close();
  });
  const waiting = (): Promise<number> => queue.getFailedCount();
  await expect.poll(waiting, PATIENCE).toBe(COUNT);
  const group = await own.link.use(async (ward) => {
    for await (const one of ward.cases()) return ward.groupOf(one);
    return "";
  });
  return {
    batches: own.batches,
    fingerprint: group,
    undoable: "operate",
    mend: () => (isAway = false),
    waiting,
  };
}

async function until(bench: Bench, batchId: string, wanted: Partial<Batch>): Promise<void> {
  const look = async (): Promise<Batch | null> => {
    // As the console does when somebody looks at an attached queue's batch.
    const batch = await bench.batches.find(batchId);
    if (batch !== null && bench.undoable === "operate") await bench.batches.verify(batch, COUNT);
    return bench.batches.find(batchId);
  };
  await expect.poll(look, PATIENCE).toMatchObject(wanted);
}

async function plan(bench: Bench, more: Partial<BatchRequest>): Promise<string> {
  const { batches, fingerprint } = bench;
  const request = { fingerprint, decision: "release", by: "ada", why: "", accepts_effects: true } as const;
  const { batch_id } = await batches.plan({ ...request, rate_per_second: 100, ...more });
  await until(bench, batch_id, { state: "planned", total: COUNT, checked: COUNT, would_pass: COUNT });
  return batch_id;
}

const refusal = { code: "WARD_BATCH_STATE" };

describe.each([
  ["own cases", openOwnCases],
  ["an attached queue", openAttachedJobs],
])("batches of %s", (_, open) => {
  it("touches nothing in a dry run, waits for a look after a canary that failed, and is stopped there", async () => {
    const bench = await open();
    const { batches } = bench;
    const id = await plan(bench, { canary: 2 });
    expect(await bench.waiting()).toBe(COUNT);
    await batches.start(id);
    await until(bench, id, { state: "look", decided: 2, died_again: 2, under_way: 0 });
    const results = (await batches.cases(id, { offset: 0, limit: COUNT })).map(({ result }) => result);
    expect(results).toEqual(["died_again", "died_again", "not_yet", "not_yet", "not_yet", "not_yet"]);
    expect(await batches.stop(id)).toMatchObject({ state: "stopped", decided: 2 });
    await expect(batches.start(id)).rejects.toMatchObject(refusal);
    await expect(batches.stop(id)).rejects.toMatchObject(refusal);
    expect(await bench.waiting()).toBe(COUNT);
  });

  it("goes on after the look, no faster than its rate, until all have gone on", async () => {
    const bench = await open();
    const id = await plan(bench, { decision: "operate", canary: 2, rate_per_second: 4 });
    bench.mend();
    const beganMs = performance.now();
    await bench.batches.start(id);
    await until(bench, id, { state: "look", decided: 2, went_on: 2 });
    await bench.batches.start(id);
    await until(bench, id, { state: "done", decided: COUNT, refused: 0, went_on: COUNT, under_way: 0 });
    expect(performance.now() - beganMs).toBeGreaterThan(((COUNT - 1) / 4) * 1000 - 100);
    expect(await bench.waiting()).toBe(0);
  });

  it("begins also at a rate below one in two seconds, and leaves the rest alone when it is stopped", async () => {
    const bench = await open();
    const id = await plan(bench, { canary: 0, rate_per_second: 0.1 });
    bench.mend();
    await bench.batches.start(id);
    await until(bench, id, { state: "running", decided: 1, went_on: 1 });
    await bench.batches.stop(id);
    await until(bench, id, { state: "stopped", decided: 1 });
    expect(await bench.waiting()).toBe(COUNT - 1);
  });

  it("undoes what it did, once", async () => {
    const bench = await open();
    const { batches } = bench;
    const id = await plan(bench, { decision: bench.undoable, canary: 0 });
    await batches.start(id);
    await until(bench, id, { state: "done", decided: COUNT, under_way: 0 });
    const { batch_id: undo } = await batches.undo({ batchId: id, by: "ben", why: "wrong" });
    await until(bench, undo, { state: "done", undoes: id, decided: COUNT, refused: 0, left_behind: COUNT });
    await expect.poll(bench.waiting, PATIENCE).toBe(COUNT);
    for (const batchId of [id, undo])
      await expect(batches.undo({ batchId, by: "ben", why: "again" })).rejects.toMatchObject(refusal);
  });
});
