import { expect, test } from "vitest";
import { openTestStore } from "#shared/testing";

test("never goes down, in Redis or in a process that has seen it", async () => {
  const { redis, keys, highWater, options } = openTestStore();
  expect(await highWater.ofEach(["one", "other"])).toEqual([0, 0]);
  await highWater.raise("one", { to: 5 });
  // Another process, which has not seen it.
  await openTestStore(options).highWater.raise("one", { to: 3 });
  expect(await redis.get(keys.mostRecent("one"))).toBe("5");
  await redis.set(keys.mostRecent("one"), "1");
  expect(await highWater.of("one")).toBe(5);
  await redis.del(keys.mostRecent("one"));
  expect(await highWater.ofEach(["other", "one"])).toEqual([0, 5]);
});
