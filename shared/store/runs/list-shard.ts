import type { RunListPage } from "../archive/archive-reader.ts";
import type { Keys } from "../keys.ts";
import { isRedisReply } from "../script.ts";
import type { PlacedStore } from "../store-part.ts";
import { LISTED_FIELDS, toRecord } from "./run-record.ts";
import type { ListedRun } from "./run-record.ts";

/** Returns a page of one shard, newest first. Deletes rows whose retention is over. */
export async function listShard(shard: PlacedStore, page: RunListPage): Promise<ListedRun[]> {
  const { redis, keys } = shard;
  const ofAll = page.status === undefined ? "index" : `index:${page.status}`;
  const index = page.tenant === undefined ? keys.runs(ofAll) : keys.runsOf(page.tenant);
  const max = page.before === undefined ? "+inf" : `(${page.before}`;
  const found: ListedRun[] = [];
  let offset = 0;
  while (found.length < page.limit) {
    const ids = await redis.zrevrangebyscore(index, max, "-inf", "LIMIT", offset, page.limit);
    if (ids.length === 0) break;
    const records = await Promise.all(ids.map((id: string) => findListed(shard, id)));
    const gone = ids.filter((_, at) => records[at] === null);
    if (gone.length > 0) await redis.zrem(index, ...gone);
    offset += ids.length - gone.length;
    found.push(...records.filter((record) => record !== null));
  }
  return found;
}

/** Lists a run whose key has another type as well, with `unreadable`. */
async function findListed({ redis, keys }: PlacedStore, runId: string): Promise<ListedRun | null> {
  try {
    const values = await redis.hmget(keys.run(runId), ...LISTED_FIELDS);
    const fields = LISTED_FIELDS.flatMap((name, at) => {
      const value = values[at] ?? null;
      return value === null ? [] : [[name, value] as const];
    });
    const known: Readonly<Record<string, string>> = Object.fromEntries(fields);
    return known["status"] === undefined ? null : toRecord(runId, known);
  } catch (error) {
    if (!isRedisReply(error)) throw error;
    return { ...toRecord(runId, {}), unreadable: ["record"] };
  }
}

/** Returns the key of a tenant's runs, or of all. */
export function indexOf(keys: Keys, tenant: string | undefined): string {
  return tenant === undefined ? keys.runs("index") : keys.runsOf(tenant);
}

/** The order of lists: time of creation, then id, as in the index of one shard. */
export function newestFirst(a: ListedRun, b: ListedRun): number {
  return b.created_ms - a.created_ms || (a.run_id < b.run_id ? 1 : -1);
}
