import type { Redis } from "ioredis";

/** Keys of one kind. */
export interface KindCount {
  readonly keys: number;
  /** Bytes of all of them, by Redis' own account of a sample; 0 where it was not asked. */
  readonly bytes: number;
}

export type Census = ReadonlyMap<string, KindCount>;

const SCAN_COUNT = 1000;
const WEIGHED_MAX = 300;
const BATCH = 100;

/** What a key holds, without whose it is: ids, agents and hashes are taken out of its name. */
export function kindOf(key: string): string {
  return key
    .replace(/^[^:{]*:/, "")
    .replace(/^\{(?!runs\}|ward\}|registry\}|recent\})[^}]*\}/, "{agent}")
    .replace(/(\{agent\}:)[^:]+/, "$1queue")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}(?:\.\d+)?|[0-9a-f]{64}/g, "*")
    .replace(/(\{ward\}\/(?:group|group-audit|index:group|recipe)):.*/, "$1:*")
    .replace(
      /(\{ward\}\/(?:cost|cost-held|circuit|circuit-window|endpoint|(?:rates|handoffs):[mh])):.*/,
      "$1:*",
    );
}

/** Counts the keys under a prefix by kind; with `isWeighed`, asks Redis for the bytes of a sample of each. */
export async function takeCensus(
  redis: Redis,
  prefix: string,
  options: { readonly isWeighed: boolean },
): Promise<Census> {
  const byKind = new Map<string, string[]>();
  for await (const page of redis.scanStream({ match: `${prefix}:*`, count: SCAN_COUNT })) {
    // ioredis types stream items loosely; a scan of keys gives lists of strings.
    for (const key of page as string[]) {
      const kind = kindOf(key);
      const known = byKind.get(kind);
      if (known === undefined) byKind.set(kind, [key]);
      else known.push(key);
    }
  }
  const counted = [...byKind].map(async ([kind, keys]) => {
    const bytes = options.isWeighed ? await weigh(redis, keys) : 0;
    return [kind, { keys: keys.length, bytes }] as const;
  });
  return new Map((await Promise.all(counted)).toSorted((a, b) => b[1].keys - a[1].keys));
}

/** @returns The bytes of all, from those of an even sample. */
async function weigh(redis: Redis, keys: readonly string[]): Promise<number> {
  const step = Math.max(1, Math.ceil(keys.length / WEIGHED_MAX));
  const sample = keys.filter((_, index) => index % step === 0);
  let bytes = 0;
  for (let from = 0; from < sample.length; from += BATCH) {
    const pipeline = redis.pipeline();
    for (const key of sample.slice(from, from + BATCH)) pipeline.memory("USAGE", key, "SAMPLES", 0);
    const replies = (await pipeline.exec()) ?? [];
    for (const [, reply] of replies) bytes += Number(reply ?? 0);
  }
  return (bytes / sample.length) * keys.length;
}
