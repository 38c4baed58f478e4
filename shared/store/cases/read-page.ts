import type { KeptRow } from "../archive/archive-reader.ts";
import type { Keys } from "../keys.ts";
import { isRedisReply } from "../script.ts";
import type { RedisClient } from "../script.ts";
import type { PlacedStore } from "../store-part.ts";
import { HEAD_FIELDS, NOTHING_READ, toArchived, toStored } from "./case-record.ts";
import type { CasePage, StoredCase } from "./case-record.ts";

/** An entry of an index. */
export interface CasePlace {
  readonly id: string;
  readonly score: string;
}

/** Reads a page of an index by falling score. A cursor (`score|id`) stays valid while entries come and go. */
export async function readIndexPage(
  redis: RedisClient,
  key: string,
  page: { cursor?: string | null; limit: number },
): Promise<CasePlace[]> {
  const after = readCursor(page.cursor);
  const max = after === null ? "+inf" : after.score;
  const found: CasePlace[] = [];
  // Several cases may share a millisecond: entries already read are skipped in Redis's order of equal scores.
  for (let offset = 0; found.length < page.limit; offset += page.limit) {
    const flat = await redis.zrevrangebyscore(key, max, "-inf", "WITHSCORES", "LIMIT", offset, page.limit);
    for (let i = 0; i + 1 < flat.length && found.length < page.limit; i += 2) {
      const [id = "", score = ""] = [flat[i], flat[i + 1]];
      if (after === null || score !== after.score || id < after.id) found.push({ id, score });
    }
    if (flat.length < page.limit * 2) break;
  }
  return found;
}

function readCursor(cursor: string | null | undefined): CasePlace | null {
  const match = /^(\d{1,16})\|(.{1,200})$/.exec(cursor ?? "");
  return match === null ? null : { score: match[1] ?? "", id: match[2] ?? "" };
}

/** Returns what was found at these places as a page; after a full one a cursor goes on. */
export function toPage(
  found: readonly (StoredCase | null)[],
  places: readonly CasePlace[],
  limit: number,
): CasePage {
  const last = places.at(-1);
  return {
    cases: found.filter((one) => one !== null),
    searched: places.length,
    cursor: last === undefined || places.length < limit ? null : `${last.score}|${last.id}`,
  };
}

/** Merges a page with rows of the archive; one that is just leaving is in both, and Redis has the newer. */
export function mergeKept(here: CasePage, kept: readonly KeptRow[], limit: number): CasePage {
  if (kept.length === 0) return here;
  const archived = kept.map(({ id, fields }) => toArchived(id, fields)).filter((one) => one !== null);
  const distinct = new Map([...archived, ...here.cases].map((one) => [one.case_id, one]));
  const cases = [...distinct.values()]
    .toSorted((a, b) => b.admitted_ms - a.admitted_ms || (a.case_id < b.case_id ? 1 : -1))
    .slice(0, limit);
  const last = cases.at(-1);
  const isWhole = here.cursor === null && kept.length < limit && distinct.size <= limit;
  return {
    cases,
    searched: Math.max(here.searched, cases.length),
    cursor: last === undefined || isWhole ? null : `${last.admitted_ms}|${last.case_id}`,
  };
}

/** Reads a case without its messages and operations. */
export async function readHead(
  { redis, keys }: PlacedStore,
  caseId: string,
  more: readonly string[] = [],
): Promise<StoredCase | null> {
  const names = [...HEAD_FIELDS, ...more];
  const values = await redis.hmget(caseKey(keys, caseId), ...names);
  const known = names.flatMap((name, i) => {
    const value = values[i] ?? null;
    return value === null ? [] : [[name, value] as const];
  });
  return toStored(caseId, Object.fromEntries(known));
}

/** Reads a case whose key has another type as well, as `unreadable`. */
export async function readListed(shard: PlacedStore, caseId: string): Promise<StoredCase | null> {
  try {
    return await readHead(shard, caseId);
  } catch (error) {
    if (!isRedisReply(error)) throw error;
    return { ...NOTHING_READ, case_id: caseId };
  }
}

export function caseKey(keys: Keys, caseId: string): string {
  return keys.ward(`case:${caseId}`);
}

export function auditKey(keys: Keys, caseId: string): string {
  return keys.ward(`audit:${caseId}`);
}
