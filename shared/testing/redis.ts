import { Redis } from "ioredis";
import { inject, onTestFinished } from "vitest";
import { randomHex } from "#shared/clock";

declare module "vitest" {
  interface ProvidedContext {
    redisUrl: string;
  }
}

/** Returns the address of the real Redis of this test run. All test files share it: use a prefix of your own. */
export function testRedisUrl(): string {
  // The unit project provides none.
  const url: string | undefined = inject("redisUrl");
  if (url === undefined)
    throw new Error(
      "The unit project has no Redis: import #shared/testing statically, so that infra/test-projects.ts sees it.",
    );
  return url;
}

/** A key prefix of one test; deleted with all under it after the test and callbacks registered later. */
export function testPrefix(): string {
  const prefix = `t${randomHex(6)}`;
  onTestFinished(() => deleteUnder(prefix));
  return prefix;
}

/** A prefix for a whole test file; delete it in `afterAll` with `deleteUnder`. */
export function filePrefix(): string {
  return `f${randomHex(6)}`;
}

export async function deleteUnder(prefix: string): Promise<void> {
  const redis = testRedis();
  try {
    for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 500 })) {
      // ioredis types stream items loosely; a scan of keys gives lists of strings.
      const names = keys as string[];
      if (names.length > 0) await redis.unlink(...names);
    }
  } finally {
    redis.disconnect();
  }
}

/** A plain connection, for looking at what the code under test wrote. The caller closes it. */
export function testRedis(): Redis {
  return new Redis(testRedisUrl(), { maxRetriesPerRequest: 2 });
}
