import { now, random } from "#shared/clock";
import { isRedisReply } from "../script.ts";
import type { Store } from "../store.ts";

/** Interval at which a gateway reads the shards that take new runs, in ms. */
export const PLACEMENT_EVERY_MS = 2000;

/** Time between adding shards and placing runs there, in ms: every gateway has read of them by then. */
const NOTICE_MS = 10_000;

/**
 * Decides which shard a new run is placed in, and remembers in Redis since when how many shards take runs. Shards are
 * only added: a run stays where it is, and a repeated request finds it where its key was placed at that time.
 */
export class Placement {
  private readonly store: Store;
  /** Time at which that many shards began to take runs, in ms since the epoch. */
  private since: ReadonlyMap<number, number> = new Map();

  constructor(store: Store) {
    this.store = store;
  }

  /** Reads since when how many shards take runs, and adds this process's number if it is higher. */
  async refresh(): Promise<void> {
    const { redis, keys, shards } = this.store;
    const key = keys.registry("shards");
    const known = await this.read(key);
    if (!known.has(shards.length) && shards.length > Math.max(0, ...known.keys()))
      await redis
        .hsetnx(key, String(shards.length), known.size === 0 ? 0 : now() + NOTICE_MS)
        // One that takes no writes now takes no runs either, and is asked again.
        .catch(unlessRefusal);
    this.since = await this.read(key);
  }

  private async read(key: string): Promise<Map<number, number>> {
    const fields = Object.entries(await this.store.redis.hgetall(key));
    return new Map(fields.map(([count, sinceMs]) => [Number(count), Number(sinceMs)]));
  }

  /** The number of shards that take new runs. */
  get count(): number {
    const begun = [...this.since].filter(([, sinceMs]) => sinceMs <= now()).map(([count]) => count);
    return Math.max(1, ...begun);
  }

  /**
   * Returns the shards that a new run may be placed in, the first choice first. Empty while none of them is connected,
   * or while more shards take runs than this process knows, where it would not find what others accepted; and before
   * that is known, when a key could be placed where no repeat looks for it.
   * @param key - Idempotency key in hex, which is always placed in the same shard. Null: any shard will do.
   */
  choose(key: string | null): readonly Store[] {
    const { shards, awake } = this.store;
    const { count } = this;
    if (this.since.size === 0 || count > shards.length) return [];
    const active = shards.slice(0, count);
    if (key !== null) return active.filter((one, i) => i === placeOf(key, count) && awake.includes(one));
    const first = Math.floor(random() * count);
    return [...active.slice(first), ...active.slice(0, first)].filter((one) => awake.includes(one));
  }

  /** Returns other shards in which an idempotency key of the last `lifeMs` may stand, from before shards were added. */
  before(key: string, lifeMs: number): readonly Store[] {
    const { count } = this;
    const earlier = [...this.since.keys()].filter((one) => one < count).toSorted((a, b) => a - b);
    const live = earlier.filter((_, i) => (this.since.get(earlier[i + 1] ?? count) ?? 0) + lifeMs > now());
    const places = new Set(live.map((one) => placeOf(key, one)));
    places.delete(placeOf(key, count));
    return this.store.shards.filter((_, i) => places.has(i));
  }
}

function unlessRefusal(error: unknown): void {
  if (!isRedisReply(error)) throw error;
}

function placeOf(key: string, count: number): number {
  return Number.parseInt(key.slice(0, 2), 16) % count;
}
