import type { Job } from "bullmq";
import { describe, expect, it } from "vitest";
import type { KeptJob } from "#shared/store/attached";
import type { BullmqWard } from "./bullmq-ward.ts";
import { ENGINES } from "./testing/engines.ts";
import { counts, eventually, openBench, wardKeys } from "./testing/open-bench.ts";

async function keptBy(ward: BullmqWard): Promise<readonly KeptJob[]> {
  const found: KeptJob[] = [];
  for await (const one of ward.kept()) found.push(one);
  return found;
}

describe.each(ENGINES)("%s", (_release, engine) => {
  it("keeps jobs that BullMQ removes, byte by byte, and adds each back once, with its options", async () => {
    const bench = openBench(engine);
    const ward = bench.ward({ keptMax: 3 });
    const opts = { removeOnFail: true, attempts: 2, backoff: 1, priority: 7, delay: 1 };
    const job = await bench.queue.add("order", { order: "a" }, opts);
    // As a producer in another language prints it.
    const bytes = '{ "order": "\\u00e9", "amount": 1.0, "paid": true }';
    await bench.redis.hset(bench.queue.toKey(job.id ?? ""), "data", bytes);
    const failing = bench.startOther(
      "orders",
      ward.keep((one: Job) => Promise.reject(new Error(`no ${one.name}`))),
    );
    await eventually(async () => expect(await keptBy(ward)).toHaveLength(1));
    await failing.close();
    expect(await counts(bench.queue)).toEqual([0, 0]);
    const [kept] = await keptBy(ward);
    if (kept === undefined) throw new Error("Nothing was kept.");
    expect(kept).toMatchObject({ id: job.id, data: bytes, reason: "no order", attempts: 2 });

    expect(await ward.sendKept(kept, { by: "ann" })).toEqual({ kind: "held", reason: "effects_unknown" });
    const sent = await ward.sendKept(kept, { by: "ann", acceptsEffects: true });
    if (sent.kind !== "added") throw new Error("It was not added.");
    expect(await ward.sendKept(kept, { by: "ben", acceptsEffects: true })).toMatchObject({ reason: "gone" });
    const again = await bench.queue.getJob(sent.id);
    expect(again?.data).toEqual({ order: "é", amount: 1, paid: true });
    expect(again?.opts).toMatchObject({ attempts: 2, priority: 7, removeOnFail: true });
    expect(again?.delay).toBe(0);
    bench.startWorker();
    await eventually(async () => expect(await counts(bench.queue)).toEqual([0, 1]));
    expect(bench.succeeded).toEqual([sent.id]);
    await ward.detach({ onCase: () => undefined, onKept: () => undefined });
    expect(await wardKeys(bench)).toEqual([]);
  });
});
