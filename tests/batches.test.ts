import { Worker } from "bullmq";
import { describe, expect, it, onTestFinished } from "vitest";
import { sleep } from "#shared/clock";
import { awayError, createTestSystem, testRedisUrl } from "#shared/testing";
import { BatchRunner, MemoryBatches } from "#shared/ward/batches";
import type { Batch, BatchRequest, BatchStore, Source } from "#shared/ward/batches";
import { groupBatches } from "#shared/ward/decisions";
import { openAttachedOrders } from "../services/console/testing/open-attached-orders.ts";
import { ordersTeam } from "../services/console/testing/orders-team.ts";
import { openSurgeonAtWork } from "../services/surgeon/testing/surgeon-test-system.ts";

/** One contract for batches of both sources, each with what carries them out in a deployment. */

const COUNT = 6;

/** A group of messages that died because a tool was away. */
interface Bench {
  readonly batches: BatchRunner;
  readonly fingerprint: string;
  /** A decision that can be undone. */
  readonly undoable: BatchRequest["decision"];
  readonly tool: { isAway: boolean };
  readonly waiting: () => Promise<number>;
}

async function openOwnCases(): Promise<Bench> {
  const tool = { isAway: true };
  const system = await openSurgeonAtWork({
    limits: { surgeonResendMs: 1 },
    handle: (input, ctx) => {
      if (!tool.isAway) return ctx.complete({ order_id: input.order_id });
      throw awayError();
    },
  });
  // A message that died for no fault of its own is decided without a model.
  onTestFinished(() => expect(system.endpoint.questions).toEqual([]));
  for (let n = 0; n < COUNT; n += 1) await system.submit({ order_id: `A-100${n}`, seats: 1 });
  const { cases } = system.store;
  const waiting = async (): Promise<number> => (await cases.counts()).quarantined;
  await expect.poll(waiting).toBe(COUNT);
  const [group] = await cases.groups.list({ offset: 0, limit: 5 });
  const batches = groupBatches(system.store);
  return { batches, fingerprint: group?.fingerprint ?? "", undoable: "discard", tool, waiting };
}

async function openAttachedJobs(): Promise<Bench> {
  const tool = { isAway: true };
  const { queue, attached } = openAttachedOrders();
  const [own] = attached;
  if (own === undefined) throw new Error("There is no attached queue.");
  const data = { order: "o", amount: "12", paid: true };
  await queue.addBulk(Array.from({ length: COUNT }, () => ({ name: "order", data })));
  const work = (): Promise<string> => (tool.isAway ? Promise.reject(new Error("away")) : Promise.resolve(""));
  const connection = { url: testRedisUrl(), maxRetriesPerRequest: null };
  const worker = new Worker("orders", work, { connection, prefix: queue.opts.prefix ?? "bull" });
  onTestFinished(() => worker.close().then(() => own.close()));
  const waiting = (): Promise<number> => queue.getFailedCount();
  await expect.poll(waiting).toBe(COUNT);
  const group = await own.use(async (ward) => ward.groupOf((await ward.cases().next()).value));
  return { batches: own.batches, fingerprint: group, undoable: "operate", tool, waiting };
}

async function until({ batches }: Bench, batchId: string, wanted: Partial<Batch>): Promise<void> {
  const look = async (): Promise<Batch | null> => {
    // The surgeon verifies all the time; of a queue it is done when somebody looks.
    if ("refresh" in batches && typeof batches.refresh === "function") await batches.refresh(batchId);
    return batches.find(batchId);
  };
  await expect.poll(look).toMatchObject(wanted);
}

async function plan(bench: Bench, more: Partial<BatchRequest>): Promise<string> {
  const { batches, fingerprint } = bench;
  const request = { fingerprint, decision: "release", by: "ada", why: "", accepts_effects: true } as const;
  const { batch_id } = await batches.plan({ ...request, rate_per_second: 100, canary: 0, ...more });
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
    const id = await plan(bench, { canary: 2 });
    expect(await bench.waiting()).toBe(COUNT);
    await bench.batches.start(id);
    await until(bench, id, { state: "look", decided: 2, died_again: 2, under_way: 0 });
    const cases = await bench.batches.cases(id, { offset: 1, limit: 2 });
    expect(cases).toMatchObject([{ result: "died_again" }, { result: "not_yet" }]);
    expect(await bench.batches.stop(id)).toMatchObject({ state: "stopped", decided: 2 });
    for (const act of ["start", "stop"] as const)
      await expect(bench.batches[act](id)).rejects.toMatchObject(refusal);
    expect(await bench.waiting()).toBe(COUNT);
  });

  it("goes on after the look, no faster than its rate, until all have gone on", async () => {
    const bench = await open();
    const id = await plan(bench, { decision: "operate", canary: 2, rate_per_second: 4 });
    bench.tool.isAway = false;
    const beganMs = performance.now();
    await bench.batches.start(id);
    await until(bench, id, { state: "look", decided: 2, went_on: 2 });
    await bench.batches.start(id);
    await until(bench, id, { state: "done", decided: COUNT, refused: 0, went_on: COUNT, under_way: 0 });
    expect(performance.now() - beganMs).toBeGreaterThan(((COUNT - 1) / 4) * 1000 - 100);
  });

  it("begins also at a rate below one in two seconds, and leaves the rest alone when it is stopped", async () => {
    const bench = await open();
    const id = await plan(bench, { rate_per_second: 0.1 });
    bench.tool.isAway = false;
    await bench.batches.start(id);
    await until(bench, id, { state: "running", decided: 1, went_on: 1 });
    await bench.batches.stop(id);
    expect(await bench.waiting()).toBe(COUNT - 1);
  });

  it("waits for a person once it is paused, and goes on from there when it is told to at once", async () => {
    const bench = await open();
    const id = await plan(bench, { canary: 5, rate_per_second: 1 });
    await expect(bench.batches.pause(id)).rejects.toMatchObject(refusal);
    bench.tool.isAway = false;
    await bench.batches.start(id);
    await expect.poll(async () => (await bench.batches.find(id))?.decided).toBeGreaterThan(0);
    expect(await bench.batches.pause(id)).toMatchObject({ state: "look" });
    await expect(bench.batches.pause(id)).rejects.toMatchObject(refusal);
    await sleep(1100);
    // One that was being decided on when the pause came is counted.
    const { decided = 0 } = (await bench.batches.find(id)) ?? {};
    expect(decided).toBeLessThan(4);
    await expect.poll(bench.waiting).toBe(COUNT - decided);
    await bench.batches.start(id);
    await bench.batches.pause(id);
    // The canary is not through: its rest comes first, and the look after it.
    await bench.batches.start(id);
    await until(bench, id, { state: "look", decided: 5 });
    await bench.batches.start(id);
    await until(bench, id, { state: "done", decided: COUNT, refused: 0, went_on: COUNT, under_way: 0 });
  });

  it("undoes what it did, once", async () => {
    const bench = await open();
    const batchId = await plan(bench, { decision: bench.undoable });
    await bench.batches.start(batchId);
    await until(bench, batchId, { state: "done", decided: COUNT, under_way: 0 });
    const { batch_id: undo } = await bench.batches.undo({ batchId, by: "ben", why: "wrong" });
    const restored = { undoes: batchId, decided: COUNT, refused: 0, left_behind: COUNT };
    await until(bench, undo, { state: "done", ...restored });
    await expect.poll(bench.waiting).toBe(COUNT);
    for (const id of [batchId, undo])
      await expect(bench.batches.undo({ batchId: id, by: "b", why: "" })).rejects.toMatchObject(refusal);
  });
});

const NUMBERS = Array.from({ length: 8 }, (_, n) => String(n));

/** Even cases would pass; whoever is decided goes on. */
class EvenPass implements Source {
  readonly decisions = ["operate"] as const;
  readonly reverts = [] as const;
  readonly decided: string[] = [];

  *#pages(): Generator<readonly string[]> {
    yield NUMBERS.slice(0, 3);
    yield NUMBERS.slice(3);
  }
  async *members(): AsyncGenerator<readonly string[]> {
    yield* this.#pages();
  }
  wouldPass = (id: string) => Promise.resolve(Number(id) % 2 === 0);
  decide = (id: string) =>
    Promise.resolve(this.decided.push(id) > 0 ? ("decided" as const) : ("later" as const));
  look = (id: string) =>
    Promise.resolve({ case_id: id, status: null, agent: "desk", result: "went_on" } as const);
  isUndoable = () => Promise.resolve(false);
}

describe.each<[string, () => BatchStore]>([
  ["Redis", () => createTestSystem(ordersTeam).store.cases.batches],
  ["memory", () => new MemoryBatches()],
])("a batch in %s of which only some would pass", (_, open) => {
  const request = {
    fingerprint: "g",
    decision: "operate",
    by: "ada",
    why: "",
    canary: 3,
    rate_per_second: 1000,
  } as const;

  it("is tried with those that would pass, and leaves the others alone", async () => {
    const source = new EvenPass();
    const batches = new BatchRunner(open(), source);
    const { batch_id } = await batches.plan({ ...request, only_passing: true });
    expect(await batches.drive(batch_id)).toMatchObject({ state: "planned", total: 8, would_pass: 4 });
    await batches.start(batch_id);
    expect(await batches.drive(batch_id)).toMatchObject({ state: "look", decided: 3 });
    expect(source.decided).toEqual(["0", "2", "4"]);
    await batches.start(batch_id);
    expect(await batches.drive(batch_id)).toMatchObject({ state: "done", decided: 4, refused: 0 });
    const cases = await batches.cases(batch_id, { offset: 3, limit: 9 });
    expect(cases.map(({ case_id, result }) => `${case_id} ${result}`)).toEqual([
      "6 went_on",
      ...["1", "3", "5", "7"].map((id) => `${id} left_alone`),
    ]);
  });

  it("is paused while nobody works on it, and goes on where the runner died: each is decided once", async () => {
    const source = new EvenPass();
    const store = open();
    const dying = new BatchRunner(store, source);
    const { batch_id } = await dying.plan({ ...request, canary: 0, is_checked_first: false });
    const decided = new Set<string>();
    source.decide = (id) => {
      decided.add(id);
      // Decided in the case, and not counted yet.
      return decided.size === 3 ? Promise.reject(new Error("died here")) : Promise.resolve("decided");
    };
    await dying.start(batch_id);
    await expect(dying.drive(batch_id)).rejects.toThrow("died here");
    expect(await new BatchRunner(store, source).pause(batch_id)).toMatchObject({ state: "look", decided: 2 });
    const again: string[] = [];
    source.decide = (id) => {
      if (decided.has(id)) again.push(id);
      decided.add(id);
      return Promise.resolve("decided");
    };
    const next = new BatchRunner(store, source);
    await next.round(60_000);
    expect(decided.size).toBe(3);
    await next.start(batch_id);
    expect(await next.drive(batch_id)).toMatchObject({ state: "done", decided: 8, refused: 0 });
    // The source knows what it has decided; none is left out, and no other is asked for again.
    expect([[...decided].toSorted(), again]).toEqual([NUMBERS, ["2"]]);
  });

  it("decides on them first where the others are wanted too, however often a crash repeats the last step", async () => {
    const source = new EvenPass();
    const store = open();
    const batches = new BatchRunner(store, source);
    const { batch_id } = await batches.plan(request);
    await store.pass(batch_id, ["0", "2"]);
    await batches.drive(batch_id);
    await store.putPassingFirst(batch_id);
    await batches.start(batch_id);
    await batches.drive(batch_id);
    await batches.start(batch_id);
    expect(await batches.drive(batch_id)).toMatchObject({ state: "done", decided: 8 });
    expect(source.decided).toEqual(["0", "2", "4", "6", "1", "3", "5", "7"]);
  });
});
