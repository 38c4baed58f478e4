import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Redis } from "ioredis";
import { takeCensus } from "./census.ts";

/** What was there at one moment. Bytes, counts and seconds as the names say. */
export interface Sample {
  readonly seconds: number;
  readonly runs: number;
  readonly redisBytes: number;
  readonly keys: number;
  readonly keysByKind: Readonly<Record<string, number>>;
  /** Members of the lists of runs, of claims and of cases: they grow inside one key. */
  readonly members: number;
  readonly rssBytes: number;
  /** After a collection of garbage. */
  readonly heapBytes: number;
}

const INDEX = /\/(?:index(?::.*)?|claims|acknowledgements|groups|batches)$/;

/** Looks at Redis and at this process. Collects garbage first, so that only what is held counts. */
export async function takeSample(
  redis: Redis,
  prefix: string,
  at: { readonly seconds: number; readonly runs: number },
): Promise<Sample> {
  collectGarbage();
  const { rss, heapUsed } = process.memoryUsage();
  const info = await redis.info("memory");
  const keysByKind = await takeCensus(redis, prefix);
  return {
    ...at,
    redisBytes: numberIn(info, "used_memory"),
    keys: Object.values(keysByKind).reduce((sum, keys) => sum + keys, 0),
    keysByKind,
    members: await countMembers(redis, `${prefix}:*`),
    rssBytes: rss,
    heapBytes: heapUsed,
  };
}

async function countMembers(redis: Redis, match: string): Promise<number> {
  let sum = 0;
  for await (const page of redis.scanStream({ match, type: "zset", count: 1000 })) {
    // ioredis types stream items loosely; a scan of keys gives lists of strings.
    for (const key of (page as string[]).filter((each) => INDEX.test(each))) sum += await redis.zcard(key);
  }
  return sum;
}

function numberIn(info: string, name: string): number {
  return Number(new RegExp(`^${name}:(\\d+)`, "m").exec(info)?.[1] ?? 0);
}

let collect: (() => void) | null = null;

function collectGarbage(): void {
  if (collect === null) {
    setFlagsFromString("--expose-gc");
    // The flag puts a function of this name into every context that is made from now on.
    collect = runInNewContext("gc") as () => void;
  }
  collect();
}
