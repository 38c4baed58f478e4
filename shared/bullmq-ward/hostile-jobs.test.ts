import type { Redis } from "ioredis";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ENGINES } from "./testing/engines.ts";
import type { Bench } from "./testing/open-bench.ts";
import { casesOf, counts, eventually, failAll, first, openBench, wardKeys } from "./testing/open-bench.ts";

const SOUND = { order: "o1", amount: 1, paid: true };
const BAD = '{"order":"o1","amount":"1","paid":true}';
const RUNS = 12;
const JOBS_MAX = 12;

/** Puts a value of each Redis type where BullMQ has a job's hash, and of each encoding. */
const OTHER_TYPES: Readonly<Record<string, (redis: Redis, key: string) => Promise<unknown>>> = {
  nothing: () => Promise.resolve(),
  string: (redis, key) => redis.set(key, "text"),
  number: (redis, key) => redis.set(key, "42"),
  bits: (redis, key) => redis.setbit(key, 70_000, 1),
  list: (redis, key) => redis.rpush(key, "a", "b"),
  "long list": (redis, key) => redis.rpush(key, ...Array.from({ length: 500 }, (_, n) => `${n}`)),
  set: (redis, key) => redis.sadd(key, "1", "2"),
  "set of texts": (redis, key) => redis.sadd(key, "a", "b"),
  "sorted set": (redis, key) => redis.zadd(key, 1, "a"),
  stream: (redis, key) => redis.xadd(key, "*", "a", "b"),
  "hash of another kind": (redis, key) => redis.hset(key, "data", BAD),
};

/** Texts that a field of a job's hash may hold, beside those that BullMQ writes. */
const DEEP = [`${"[".repeat(20_000)}${"]".repeat(20_000)}`, "[".repeat(9000)];
const text = fc.oneof(
  fc.constantFrom(
    "",
    "null",
    "{bad",
    "[]",
    "5",
    '"x"',
    "true",
    "{}",
    "NaN",
    "1e999",
    "-1",
    "1.5",
    "abc",
    "0x10",
  ),
  fc.constantFrom(
    '{"de":null}',
    '{"lifo":[]}',
    '{"sizeLimit":"x"}',
    '{"__proto__":{"a":1}}',
    '{"attempts":"x"}',
  ),
  fc.constantFrom('{"queueKey":{},"id":[]}', '{"queueKey":null,"id":1}', '{"queueKey":true,"id":false}'),
  fc.constantFrom(...DEEP, '{"a":1e-400,"a":2}', "\u0000", "\ud800", "\u001b[31m", BAD),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.json({ maxDepth: 3 }),
);
const bytes = fc.oneof(
  text,
  fc.uint8Array({ maxLength: 20 }).map((of) => Buffer.from(of)),
);
const FIELDS =
  "name data opts timestamp atm ats stacktrace failedReason parent parentKey deid priority delay progress " +
  "processedOn finishedOn returnvalue stc rjk defa";
const score = fc.oneof(
  fc.constantFrom("inf", "-inf", "0", "-1", "1e300", "1.5", "8640000000000001", "1700000000000"),
  fc.integer().map(String),
);
const id = fc.oneof(fc.constantFrom("", "meta", "failed", "wait", "a:b", "__proto__", "0"), bytes);
const hostile = fc.record({
  id,
  score,
  type: fc.option(fc.constantFrom(...Object.keys(OTHER_TYPES))),
  fields: fc.uniqueArray(fc.tuple(fc.constantFrom(...FIELDS.split(" ")), bytes), {
    selector: ([name]) => name,
    maxLength: 6,
  }),
});
type Hostile = typeof hostile extends fc.Arbitrary<infer T> ? T : never;

/** Keys that BullMQ itself writes for a queue: a job's id that names one of them does not overwrite it. */
const OWN_KEYS = new Set(["", "meta", "failed", "wait", "id", "events"]);

async function plant({ redis, queue }: Bench, { id: job, score: at, type, fields }: Hostile): Promise<void> {
  await redis.zadd(queue.toKey("failed"), at, job);
  if (typeof job === "string" && OWN_KEYS.has(job)) return;
  const key = Buffer.concat([Buffer.from(queue.toKey("")), Buffer.from(job)]);
  await redis.del(key);
  if (type !== null) await OTHER_TYPES[type]?.(redis, key.toString());
  else await redis.hset(key, "name", "order", "data", BAD, "opts", "{}", ...fields.flat());
}

async function readAll(bench: Bench): Promise<number> {
  const sensitive = { type: "object", properties: { order: { type: "string", "x-sensitive": true } } };
  for await (const one of bench.ward({ contract: { schema: sensitive } }).cases())
    bench.ward({ contract: { schema: sensitive } }).describe(one);
  const ward = bench.ward({ mode: "redrive" });
  let surveyed = 0;
  for await (const groups of ward.survey()) surveyed = groups.reduce((sum, { count }) => sum + count, 0);
  for (const one of await casesOf(ward)) {
    ward.describe(one);
    expect(Number.isNaN(new Date(one.failedAtMs).getTime())).toBe(false);
  }
  expect(await ward.sweep()).toMatchObject({ cases: surveyed });
  return surveyed;
}

describe.each(ENGINES)("%s", (_release, engine) => {
  it.each(Object.entries(OTHER_TYPES))("shows a failed id that holds %s as one case", async (_name, put) => {
    const bench = openBench(engine);
    await failAll(bench, [{ data: { ...SOUND, amount: "1" } }]);
    await bench.redis.zadd(bench.queue.toKey("failed"), 1, "odd");
    await put(bench.redis, bench.queue.toKey("odd"));
    const ward = bench.ward({ mayRepeatEffects: true, mode: "redrive" });
    const odd = await ward.find("odd");
    if (odd === null) throw new Error("It is not shown.");
    expect(odd).toMatchObject({ name: "", data: null, failedReason: expect.stringMatching(/./) });
    expect(await ward.redrive(odd, { by: "ann" })).toEqual({ kind: "held", reason: "unreadable" });
    expect(await ward.edit(odd, "{}", "ann")).toMatchObject({ kind: "held" });
    expect(await ward.undo("odd", "ann")).toBe("nothing_kept");
    expect((await ward.sweep()).groups.map(({ count }) => count)).toEqual([1, 1]);
    bench.startWorker();
    await eventually(async () => expect((await counts(bench.queue))[1]).toBeGreaterThan(0));
  });

  it.each(["{bad", "null", '{"a":', "\u0000"])("holds a job with the options %j, as it is", async (opts) => {
    const bench = openBench(engine);
    await failAll(bench, [{ data: { ...SOUND, amount: "1" } }, { data: { ...SOUND, amount: "2" } }]);
    const ward = bench.ward({ mayRepeatEffects: true, mode: "redrive" });
    const odd = await first(ward);
    await bench.redis.hset(bench.queue.toKey(odd.id), "opts", opts);
    const [read] = await casesOf(ward);
    if (read === undefined) throw new Error("It is not shown.");
    expect(await ward.redrive(read, { by: "ann" })).toEqual({ kind: "held", reason: "unreadable" });
    expect(await ward.sweep()).toMatchObject({ redriven: 1, held: { unreadable: 1 } });
    expect((await first(ward)).data).toBe(odd.data);
    const exported: string[] = [];
    await ward.detach({ onCase: (one) => void exported.push(one.id) });
    expect(exported).toContain(odd.id);
    expect(await wardKeys(bench)).toEqual([]);
  });

  it("finishes with a job that BullMQ cannot read though it was marked, and with those behind it", async () => {
    const bench = openBench(engine);
    await failAll(bench, [{ data: { ...SOUND, amount: "1" } }]);
    const ward = bench.ward({ mayRepeatEffects: true });
    const read = await first(ward);
    // Made unreadable after it was read.
    await bench.redis.hset(bench.queue.toKey(read.id), "opts", "null");
    expect(await ward.redrive(read, { data: JSON.stringify(SOUND), by: "ann" })).toEqual({
      kind: "held",
      reason: "unreadable",
    });
    expect((await first(ward)).data).toBe(JSON.stringify(SOUND));
    expect(await ward.undo(read.id, "ann")).toBe("undone");
    expect((await first(ward)).data).toBe(read.data);
    expect(await ward.recover(0)).toBe(0);
  });

  it("reads, repairs, sends and detaches whatever the failed set holds, and loses no sound job beside it", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(hostile, { minLength: 1, maxLength: JOBS_MAX, selector: (one) => one.id.toString() }),
        async (entries) => {
          const bench = openBench(engine);
          await bench.queue.addBulk([
            { name: "order", data: { ...SOUND, amount: "1" }, opts: { jobId: "sound" } },
          ]);
          const worker = bench.startWorker();
          await eventually(async () => expect((await counts(bench.queue))[0]).toBe(1));
          await worker.close();
          for (const entry of entries) await plant(bench, entry);
          const there = await bench.redis.zcard(bench.queue.toKey("failed"));
          expect(await readAll(bench)).toBe(there);
          const ward = bench.ward({ mode: "redrive", mayRepeatEffects: true });
          for (const one of await casesOf(ward)) {
            await ward.redrive(one, { by: "ann" });
            await ward.undo(one.id, "ann");
          }
          await ward.sweep();
          expect(await bench.queue.getJobState("sound")).toBe("waiting");
          await ward.detach({ onCase: () => undefined });
          expect(await wardKeys(bench)).toEqual([]);
          await bench.redis.unlink(...(await bench.redis.keys(`${bench.prefix}:*`)));
        },
      ),
      { numRuns: RUNS, seed: 11, endOnFailure: true },
    );
  });
});
