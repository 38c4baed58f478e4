import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { AttachedQueue } from "#shared/store/attached";
import { ENGINES } from "./testing/engines.ts";
import {
  casesOf,
  counts,
  eventually,
  failAll,
  first,
  KINDS,
  openBench,
  REPAIRABLE,
  wardKeys,
} from "./testing/open-bench.ts";

describe.each(ENGINES)("%s", (_release, engine) => {
  it("groups sixty of 500 jobs that failed in ten ways, sends the proved ones back, and lets people do the rest", async () => {
    const bench = openBench(engine);
    const kinds = KINDS.flatMap((kind) => [0, 1, 2, 3, 4, 5].map((n) => ({ data: kind(n) })));
    const sound = Array.from({ length: 440 }, (_, n) => ({ order: `s${n}`, amount: n, paid: true }));
    await bench.queue.addBulk(sound.map((data) => ({ name: "order", data })));
    await failAll(bench, kinds);
    await eventually(async () => expect(await counts(bench.queue)).toEqual([60, 440]));
    const watching = await bench.ward().sweep();
    expect(watching).toMatchObject({ cases: 60, proposed: 0, redriven: 0 });
    expect(watching.groups.map(({ count }) => count)).toEqual(KINDS.map(() => 6));
    expect(await wardKeys(bench)).toEqual([]);
    expect(await bench.ward({ mode: "propose" }).sweep()).toMatchObject({ proposed: 36, redriven: 0 });
    const cautious = await bench.ward({ mode: "redrive" }).sweep();
    expect(cautious.held).toEqual({ effects_unknown: 6 * REPAIRABLE });

    bench.startWorker();
    const ward = bench.ward({ mode: "redrive", mayRepeatEffects: true });
    expect(await ward.sweep()).toMatchObject({ redriven: 36, held: {} });
    await eventually(async () => expect(await counts(bench.queue)).toEqual([24, 476]));
    expect(bench.succeeded).toHaveLength(476);
    expect(new Set(bench.succeeded).size).toBe(476);
    const done = (await bench.queue.getJobs(["completed"], 0, 1000)).map(({ data }): unknown => data);
    for (const n of [0, 1, 2, 3, 4, 5]) {
      for (const amount of [n + 10, n + 20])
        expect(done).toContainEqual({ order: `o${n}`, amount, paid: true });
      expect(done).toContainEqual({ order: `o${n}`, amount: n, paid: false });
      // By three kinds: the text "true", a name in capitals, and all of it as a text.
      expect(
        done.filter((one) => isDeepStrictEqual(one, { order: `o${n}`, amount: n, paid: true })),
      ).toHaveLength(3);
    }

    // A person edits the rest, undoes one edit, and sends the others back.
    const rest = await casesOf(ward);
    for (const one of rest)
      expect(await ward.edit(one, '{"order":"by hand","amount":1,"paid":true}', "ann")).toMatchObject({
        kind: "written",
      });
    expect(await ward.undo(rest[0]?.id ?? "", "ann")).toBe("undone");
    for (const one of (await casesOf(ward)).slice(1))
      expect(await ward.redrive(one, { by: "ann" })).toMatchObject({ kind: "written" });
    await eventually(async () => expect(await counts(bench.queue)).toEqual([1, 499]));
    const exported: unknown[] = [];
    await ward.detach({
      onCase: ({ data }, original) => void exported.push([data, original]),
    });
    expect(exported).toEqual([[rest[0]?.data, null]]);
    expect(await wardKeys(bench)).toEqual([]);
    expect(bench.succeeded).toHaveLength(499);
  });

  it("leaves a redrive that may still be under way to its own process", async () => {
    const bench = openBench(engine);
    await failAll(bench, [{ data: { order: "o1", amount: "1", paid: true } }]);
    // It dies in BullMQ's retry, after the write.
    const dying = new AttachedQueue(
      {
        name: "orders",
        toKey: (type) => bench.queue.toKey(type),
        getJob: () => Promise.reject(new Error("killed")),
        getJobState: (id) => bench.queue.getJobState(id),
      },
      bench.redis,
    );
    const ward = bench.ward({ mode: "redrive", mayRepeatEffects: true });
    const one = await first(ward);
    const proposal = await ward.propose(one);
    const data = proposal.kind === "repair" ? proposal.data : null;
    await expect(dying.redrive(one.id, { version: one.version, data, by: "dying" })).rejects.toThrow(
      "killed",
    );
    expect(await ward.redrive(await first(ward), { by: "other" })).toEqual({
      kind: "held",
      reason: "under_way",
    });
    expect(await ward.recover()).toBe(0);
  });

  it("leaves a job alone whose data was edited by another tool after it was read", async () => {
    const bench = openBench(engine);
    await failAll(bench, [{ data: { order: "o1", amount: "1", paid: true } }]);
    const ward = bench.ward({ mayRepeatEffects: true });
    const read = await first(ward);
    const job = await bench.queue.getJob(read.id);
    await job?.updateData({ order: "theirs", amount: 2, paid: true });
    const held = await ward.redrive(read, { data: '{"order":"ours"}', by: "ann" });
    expect(held).toEqual({ kind: "held", reason: "changed" });
    expect((await first(ward)).data).toContain("theirs");
  });

  it("edits, undoes to the very bytes, sends back at most as often as allowed, and detaches without a trace", async () => {
    const bench = openBench(engine);
    // Spaces and an escape that JavaScript would print otherwise.
    await failAll(bench, [{ data: {}, opts: { jobId: "odd" } }]);
    const original = '{ "order": "\\u0041", "amount": "x" }';
    await bench.redis.hset(bench.queue.toKey("odd"), "data", original);
    const ward = bench.ward({ mayRepeatEffects: true, redrivesMax: 1 });
    expect(await ward.edit(await first(ward), '{"order":"b"}', "ann")).toMatchObject({ kind: "written" });
    expect((await first(ward)).data).toBe('{"order":"b"}');
    expect(await ward.undo("odd", "ann")).toBe("undone");
    expect((await first(ward)).data).toBe(original);
    expect(await ward.undo("odd", "ann")).toBe("nothing_kept");

    bench.startWorker();
    const before = await first(ward);
    expect(await ward.redrive(before, { data: '{"order":"c"}', by: "ben" })).toMatchObject({
      kind: "written",
    });
    await eventually(async () => expect((await first(ward)).failedAtMs).toBeGreaterThan(before.failedAtMs));
    const again = await ward.redrive(await first(ward), { by: "ben" });
    expect(again).toEqual({ kind: "held", reason: "redrives_used" });
    const deeds: string[] = [];
    for await (const { deed = "", by = "" } of ward.audit()) deeds.push(`${by} ${deed}`);
    expect(deeds).toEqual(["ann edited", "ann undone", "ben edited and sent"]);

    const exported: (string | null)[] = [];
    await ward.detach({
      onCase: (jobCase, kept) => void exported.push(jobCase.data, kept),
    });
    expect(exported).toEqual(['{"order":"c"}', original]);
    expect(await wardKeys(bench)).toEqual([]);
    expect(await counts(bench.queue)).toEqual([1, 0]);
  });

  it.each([
    ["waits for it", {}, "waiting-children", "waiting"],
    ["has failed with it", { failParentOnFailure: true }, "failed", "failed"],
    ["went on without it", { ignoreDependencyOnFailure: true }, "completed", "parent_done"],
  ] as const)("sees that the parent of a flow's child %s", async (_, opts, state, expected) => {
    const bench = openBench(engine);
    bench.startOther("parents", () => Promise.resolve("all"));
    const parents = bench.openQueue("parents");
    const data = { order: "a", amount: "1", paid: true };
    await bench.flows.add({
      name: "all",
      queueName: "parents",
      children: [{ name: "order", queueName: "orders", data, opts }],
    });
    bench.startWorker();
    await eventually(async () => {
      expect((await counts(bench.queue))[0]).toBe(1);
      expect(await parents.getJobCountByTypes(state)).toBe(1);
    });
    const ward = bench.ward({ mayRepeatEffects: true });
    const child = await first(ward);
    const proposal = await ward.propose(child);
    if (proposal.kind === "none") throw new Error(proposal.reason);
    const result = await ward.redrive(child, { data: proposal.data, by: "ann" });
    expect(result.kind === "held" ? result.reason : result.parent).toBe(expected);
    if (expected === "waiting")
      await eventually(async () => expect(await parents.getJobCountByTypes("completed")).toBe(1));
  });

  it("sends jobs back with their priority, past delays, rate limits and schedulers, and leaves the next iteration", async () => {
    const bench = openBench(engine);
    const bad = (order: string) => ({ order, amount: "5", paid: true });
    await bench.queue.upsertJobScheduler("tick", { every: 3_600_000 }, { name: "order", data: bad("tick") });
    await bench.queue.addBulk([
      { name: "order", data: bad("delayed"), opts: { delay: 5 } },
      { name: "order", data: bad("late"), opts: { priority: 9 } },
      { name: "order", data: bad("soon"), opts: { priority: 2 } },
      { name: "order", data: bad("deduplicated"), opts: { deduplication: { id: "one" } } },
      { name: "order", data: bad("again"), opts: { attempts: 3, backoff: { type: "fixed", delay: 2 } } },
    ]);
    const failing = bench.startWorker();
    await eventually(async () => expect(await counts(bench.queue)).toEqual([6, 0]));
    await failing.close();
    const next = await bench.queue.getDelayed();
    await bench.queue.pause();
    const ward = bench.ward({ mode: "redrive", mayRepeatEffects: true });
    expect(await ward.sweep()).toMatchObject({ redriven: 6, held: {} });
    // The `retry` of older releases puts jobs into the common line, whatever their priority.
    const isInLine = (await bench.queue.getPrioritizedCount()) > 0;
    await bench.queue.resume();
    bench.startWorker({ limiter: { max: 3, duration: 30 }, concurrency: 1 });
    await eventually(async () => expect(await counts(bench.queue)).toEqual([0, 6]));
    const jobs = await bench.queue.getJobs(["completed"], 0, 10);
    const order = bench.succeeded.map((id) => jobs.find((job) => job.id === id)?.data.order as string);
    expect(order.indexOf("soon") < order.indexOf("late") || !isInLine).toBe(true);
    expect(jobs.find(({ data }) => data.order === "again")?.attemptsMade).toBe(1);
    expect((await bench.queue.getDelayed()).map(({ id }) => id)).toEqual(next.map(({ id }) => id));
    expect(next).toHaveLength(1);
  });
});
