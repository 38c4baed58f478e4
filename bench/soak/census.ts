import type { Redis } from "ioredis";

const SCAN_COUNT = 1000;

/** What a key holds, without whose it is: ids, agents and hashes are taken out of its name. */
function kindOf(key: string): string {
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

/** Counts the keys under a prefix by kind. */
export async function takeCensus(redis: Redis, prefix: string): Promise<Readonly<Record<string, number>>> {
  const counts = new Map<string, number>();
  for await (const page of redis.scanStream({ match: `${prefix}:*`, count: SCAN_COUNT })) {
    // ioredis types stream items loosely; a scan of keys gives lists of strings.
    for (const kind of (page as string[]).map(kindOf)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].toSorted((a, b) => b[1] - a[1]));
}
