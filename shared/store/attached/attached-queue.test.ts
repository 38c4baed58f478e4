import { expect, it } from "vitest";
import { testPrefix, testRedis } from "#shared/testing";
import { AttachedQueue } from "./attached-queue.ts";

const JOBS = 5000;
const DATA_BYTES_MAX = 512 * 1024;

it("reads thousands of failed jobs in small pages, and leaves out data that is too large", async () => {
  const prefix = testPrefix();
  const redis = testRedis();
  const toKey = (type: string): string => `${prefix}:orders:${type}`;
  const pipeline = redis.pipeline();
  for (let n = 0; n < JOBS; n += 1) {
    // Every hundredth fills a fifth of a page, and one is larger than is read.
    const filler = n === 77 ? DATA_BYTES_MAX : n % 100 === 0 ? DATA_BYTES_MAX / 5 : 10;
    pipeline.zadd(toKey("failed"), 1000 + Math.floor(n / 150), String(n));
    pipeline.hset(
      toKey(String(n)),
      "name",
      "order",
      "data",
      JSON.stringify({ n, filler: "x".repeat(filler) }),
    );
  }
  await pipeline.exec();
  const none = (): never => {
    throw new Error("Reading moves nothing.");
  };
  const queue = { name: "orders", toKey, getJob: none, getJobState: none, add: none };
  const ids = new Set<string>();
  for await (const page of new AttachedQueue(queue, redis).pages()) {
    expect(page.length).toBeLessThanOrEqual(25);
    const bytes = page.reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
    expect(bytes).toBeLessThan(DATA_BYTES_MAX);
    for (const { id, data, bytes: size } of page) {
      ids.add(id);
      expect(data === null).toBe(id === "77");
      expect(size).toBeGreaterThan(0);
    }
  }
  expect(ids.size).toBe(JOBS);
  redis.disconnect();
});
