import { describe, expect, inject, it } from "vitest";
import { deleteUnder, filePrefix, testPrefix, testRedis, testRedisUrl } from "./index.ts";

describe("the Redis of the tests", () => {
  it("is a real one at the provided address and keeps no file", async () => {
    expect(testRedisUrl()).toBe(inject("redisUrl"));
    const redis = testRedis();
    expect(await redis.config("GET", "appendonly")).toEqual(["appendonly", "no"]);
    expect(await redis.config("GET", "maxmemory-policy")).toEqual(["maxmemory-policy", "noeviction"]);
    redis.disconnect();
  });

  it("gives every call a prefix of its own", () => {
    expect(new Set([testPrefix(), testPrefix(), filePrefix(), filePrefix()]).size).toBe(4);
  });

  it("deletes what is under a prefix and nothing else", async () => {
    const redis = testRedis();
    const [gone, kept] = [filePrefix(), testPrefix()];
    for (let index = 0; index < 1200; index += 1) await redis.set(`${gone}:${index}`, "x");
    await redis.set(`${kept}:1`, "x");
    await deleteUnder(gone);
    expect(await redis.keys(`${gone}*`)).toEqual([]);
    expect(await redis.keys(`${kept}*`)).toEqual([`${kept}:1`]);
    redis.disconnect();
  });
});
