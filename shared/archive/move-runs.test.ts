import { expect } from "vitest";
import { sleep } from "#shared/clock";
import { openTestStore, testRedisUrl } from "#shared/testing";
import { addEndedRuns, itWithPostgres, openTestArchive, startPostgres } from "#shared/archive/testing";
import type { Archive } from "./open-archive.ts";

const NEVER = new AbortController().signal;

itWithPostgres("loses nothing and doubles nothing while PostgreSQL is killed under two movers", async () => {
  const postgres = await startPostgres();
  const store = openTestStore();
  const [one, other] = [openTestArchive(postgres), openTestArchive(postgres)];
  const ids = await addEndedRuns(store, 3000);
  const before = new Map(await Promise.all(ids.map(async (id) => [id, await store.runs.get(id)] as const)));
  const logs = new Map(
    await Promise.all(
      ids.map(async (id) => [id, await store.runs.events(id, { from: 0, limit: 10 })] as const),
    ),
  );
  let failures = 0;
  const work = async (archive: Archive): Promise<void> => {
    const mover = archive.moverOf(store);
    while ((await store.redis.zcard(store.keys.runs("index"))) > 0)
      await mover.round(NEVER).catch(() => {
        failures += 1;
        return sleep(20);
      });
  };
  const working = Promise.all([work(one), work(other)]);
  for (let n = 0; n < 3; n += 1) {
    await sleep(150);
    await postgres.kill();
    await sleep(50);
    await postgres.start();
  }
  await working;
  expect(failures).toBeGreaterThan(0);
  expect(await one.reader.countRuns()).toBe(ids.length);
  const whole = openTestStore({ prefix: store.keys.prefix, archive: one.reader });
  for (const id of ids) {
    expect(await whole.runs.find(id)).toEqual({ ...before.get(id), archived: true });
    expect(await whole.runs.events(id, { from: 0, limit: 10 })).toEqual(logs.get(id));
  }
  expect(await whole.runs.counts()).toMatchObject({ submitted: ids.length, completed: ids.length });
});

itWithPostgres("keeps an ended run in Redis beyond its retention until it has moved", async () => {
  const postgres = await startPostgres();
  const store = openTestStore({ retentionMs: 5000 });
  const archive = openTestArchive(postgres);
  const mover = archive.moverOf(store);
  const [runId = ""] = await addEndedRuns(store, 1);
  await postgres.kill();
  const untilMs = performance.now() + 8000;
  while (performance.now() < untilMs) {
    await expect(mover.round(NEVER)).rejects.toMatchObject({ code: "ARCHIVE_UNAVAILABLE" });
    await sleep(100);
  }
  expect(await store.runs.find(runId)).toMatchObject({ status: "completed" });
  await postgres.start();
  expect(await mover.round(NEVER)).toBe(1);
  expect(await store.runs.find(runId)).toBeNull();
  expect(await archive.reader.readRun(runId)).not.toBeNull();
});

itWithPostgres("moves damaged records as they are, and runs of every shard", async () => {
  const postgres = await startPostgres();
  const archive = openTestArchive(postgres);
  const store = openTestStore({ shardUrls: [testRedisUrl(), testRedisUrl()], archive: archive.reader });
  const ids: string[] = [];
  for (const shard of store.shards) {
    await expect.poll(() => shard.redis.status).toBe("ready");
    ids.push(...(await addEndedRuns(shard, 3)));
  }
  const [first = ""] = ids;
  await store.redis.hset(store.keys.run(first), {
    team: "a\0b",
    error: "{ \0 \ud800 \\u0000",
    result: '"\\u0000\\ud800"',
    tokens: "1e999",
    created_ms: "NaN",
  });
  const [type = ""] = await addEndedRuns(store.shards[0] ?? store, 1);
  await store.redis.del(store.keys.run(type));
  await store.redis.set(store.keys.run(type), "of another type");
  const before = await store.runs.get(first);
  for (const shard of store.shards) expect(await archive.moverOf(shard).round(NEVER)).toBe(3);
  for (const id of ids) expect(await store.ofRun(id).redis.exists(store.ofRun(id).keys.run(id))).toBe(0);
  expect(await store.runs.get(first)).toEqual({ ...before, archived: true });
  const listed = (await store.runs.list({ limit: 10 })).map(({ run_id }) => run_id);
  expect(listed.toSorted()).toEqual([...ids, type].toSorted());
  expect(await store.runs.count()).toBe(7);
  await store.redis.del(store.keys.run(type));
  const page = await store.runs.page({ offset: 2, limit: 10 });
  expect(page.map(({ run_id }) => run_id)).toEqual(listed.filter((id) => id !== type).slice(2));
});

itWithPostgres("deletes from the archive what it has kept for its days", async () => {
  const postgres = await startPostgres();
  const store = openTestStore();
  const archive = openTestArchive(postgres, { archiveAfterHours: 1, archiveDays: 2 });
  const hour = 3_600_000;
  const [old = ""] = await addEndedRuns(store, 1, { agoMs: 49 * hour });
  const [young = ""] = await addEndedRuns(store, 1, { agoMs: 47 * hour });
  await addEndedRuns(store, 1);
  expect(await archive.moverOf(store).round(NEVER)).toBe(2);
  await archive.retire();
  expect(await archive.reader.readRun(old)).toBeNull();
  expect(await archive.reader.readRun(young)).not.toBeNull();
});

itWithPostgres(
  "leaves a run in Redis that has changed since it was read, that has a webhook to call, or a case",
  async () => {
    const postgres = await startPostgres();
    const store = openTestStore();
    const archive = openTestArchive(postgres);
    const [changed = "", called = "", ill = ""] = await addEndedRuns(store, 3);
    await store.redis.zadd(store.keys.webhooks(), 1, called);
    await store.redis.zadd(store.keys.ward(`index:run:${ill}`), 1, "case");
    const [read] = await store.leavingRuns.next(0, 10);
    expect(read?.run_id).toBe(changed);
    await store.redis.hset(`${store.keys.run(changed)}:messages`, "e:late", "1");
    expect(await store.leavingRuns.leave(read === undefined ? [] : [read])).toBe(0);
    expect(await archive.moverOf(store).round(NEVER)).toBe(1);
    expect(await archive.reader.readRun(changed)).toMatchObject({ messages: { "e:late": "1" } });
    expect(await archive.reader.countRuns()).toBe(1);
    expect(await store.runs.count()).toBe(2);
  },
);
