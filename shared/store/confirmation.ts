import { Cluster } from "ioredis";
import { waitUntilReady } from "./connect.ts";
import { NotReplicatedError } from "./errors.ts";
import type { Keys } from "./keys.ts";
import { mastersOf, parseInfo } from "./masters.ts";
import type { RedisClient } from "./script.ts";

export interface ReplicationOptions {
  /** Replicas that must have a write. At least 1. */
  readonly replicasMin: number;
  /** Timeout of a confirmation, in ms. Must be below the 5 s command timeout. */
  readonly waitMs: number;
}

const READY_WITHIN_MS = 1000;

/** A hash field that the write to be confirmed has set. */
interface Proof {
  readonly key: string;
  readonly field: string;
}

/** Proofs of one node that share a `WAIT`. */
interface Round {
  readonly proofs: Proof[];
  readonly answered: Promise<number[]>;
}

/**
 * Confirms that replicas have a write: the `replicated` durability. Without options it returns at once and opens no
 * connection.
 *
 * `WAIT` covers only writes of its own connection, and succeeds on a fresh connection that wrote nothing. After a
 * reconnection between a write and its `WAIT`, perhaps to another master, it would confirm a lost write. So each
 * confirmation is one pipeline on one connection: check that the write is there, write a mark behind it in the same
 * slot, and wait for the mark. Replication is ordered, so a replica with the mark has the write, and a master without
 * the write fails the check. ioredis aborts a pipeline that a reconnection interrupts.
 *
 * Uses a dedicated connection, because `WAIT` blocks the commands queued behind it. Confirmations requested during
 * a `WAIT` share the next one, so an absent replica costs one timeout in all.
 */
export class Confirmation {
  private readonly options: ReplicationOptions | null;
  private readonly keys: Keys;
  private readonly redis: RedisClient | null;
  private readonly underway = new Map<string, Promise<unknown>>();
  private readonly next = new Map<string, Round>();

  constructor(options: ReplicationOptions | null, keys: Keys, open: () => RedisClient) {
    this.options = options;
    this.keys = keys;
    this.redis = options === null ? null : open();
  }

  /** Resolves when replicas have this field's write. @throws {NotReplicatedError} Too few in time, or it is gone. */
  async confirm(key: string, field: string): Promise<void> {
    if (this.options === null || this.redis === null) return;
    const { replicasMin: needed } = this.options;
    const group = this.redis instanceof Cluster ? slotOf(key) : "";
    const round = this.next.get(group) ?? this.openRound(this.redis, group);
    const place = round.proofs.push({ key, field }) - 1;
    const replicas = await round.answered.catch(() => []);
    const have = replicas[place] ?? 0;
    if (have < needed) throw new NotReplicatedError({ have, needed });
  }

  /** Returns true if each master has enough replicas connected, or if none are required. Never throws. */
  async hasReplicas(): Promise<boolean> {
    if (this.options === null || this.redis === null) return true;
    const { replicasMin } = this.options;
    try {
      await waitUntilReady(this.redis, READY_WITHIN_MS);
      const infos = await Promise.all(mastersOf(this.redis).map((node) => node.info("replication")));
      return infos.length > 0 && infos.every((text) => countOnline(text) >= replicasMin);
    } catch {
      return false;
    }
  }

  close(): void {
    this.redis?.disconnect();
  }

  /** Opens a round that starts when the one before it ends, and collects proofs meanwhile. */
  private openRound(redis: RedisClient, group: string): Round {
    const proofs: Proof[] = [];
    const before = this.underway.get(group) ?? Promise.resolve();
    const answered = before.then(() => {
      this.next.delete(group);
      return this.ask(redis, proofs);
    });
    const over = answered
      .catch(() => undefined)
      .then(() => {
        if (this.underway.get(group) === over) this.underway.delete(group);
      });
    this.underway.set(group, over);
    const round = { proofs, answered };
    this.next.set(group, round);
    return round;
  }

  /** Returns the number of replicas that have each proof; 0 for one that is not there. */
  private async ask(redis: RedisClient, proofs: readonly Proof[]): Promise<number[]> {
    const [first] = proofs;
    if (first === undefined || this.options === null) return [];
    const pipeline = redis.pipeline();
    for (const { key, field } of proofs) pipeline.hexists(key, field);
    pipeline.incr(this.keys.mark(slotOf(first.key)));
    pipeline.call("WAIT", String(this.options.replicasMin), String(this.options.waitMs));
    const replies = (await pipeline.exec()) ?? [];
    const [marked, waited] = replies.slice(proofs.length);
    const isSound = marked !== undefined && marked[0] === null && waited !== undefined && waited[0] === null;
    // A moved slot is found by refreshing the slot map.
    if (!isSound && redis instanceof Cluster) redis.refreshSlotsCache();
    const replicas = isSound ? Number(waited[1]) : 0;
    return proofs.map((_, place) => (replies[place]?.[1] === 1 ? replicas : 0));
  }
}

/** Returns the hash tag of a key: the part between braces, which decides its slot. */
function slotOf(key: string): string {
  return /\{(.+?)\}/.exec(key)?.[1] ?? "";
}

function countOnline(info: string): number {
  return [...parseInfo(info)].filter(
    ([name, value]) => /^slave\d+$/.test(name) && value.includes("state=online"),
  ).length;
}
