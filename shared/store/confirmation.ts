import { Cluster } from "ioredis";
import { waitUntilReady } from "./connect.ts";
import { NotReplicatedError } from "./errors.ts";
import type { Keys } from "./keys.ts";
import { mastersOf } from "./masters.ts";
import { parseInfo } from "./parse-info.ts";
import type { RedisClient } from "./script.ts";

export interface ReplicationOptions {
  /** Replicas that must have a write, at least 1. */
  readonly replicasMin: number;
  /** How long a confirmation may take, in ms; below the 5 s that a command may take. */
  readonly waitMs: number;
}

const READY_WITHIN_MS = 1000;

/** A field of a hash that the write to be confirmed has set. */
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
 * Says whether replicas have what was written: the `replicated` durability. Without options it answers at once and
 * opens no connection.
 *
 * `WAIT` speaks of what its own connection wrote before it, and says yes to a fresh connection that wrote nothing. A
 * connection that was lost and made anew between a write and its `WAIT`, perhaps to another master, would confirm what
 * is gone. So each confirmation goes out in one piece, over one connection: look whether the write is there, write a
 * mark behind it in the same slot, wait for the mark. Replication keeps the order, so who has the mark has the write; a
 * master that never heard of the write fails the look. ioredis breaks off a pipeline that a reconnection cut in two.
 *
 * The connection is one of its own, because `WAIT` holds up all that comes after it. Who asks while a `WAIT` is under
 * way shares the next one: an absent replica costs everybody one time-out, not one after the other.
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

  /** Whether replicas are waited for at all. */
  get isAsked(): boolean {
    return this.options !== null;
  }

  /**
   * Resolves when enough replicas have a write that set this field.
   *
   * @throws {NotReplicatedError} They have not in time, or the write is not where we looked. It may still be lost.
   */
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

  /** Whether each master has as many replicas connected as are needed. True where none are needed. Never throws. */
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

  /** The round begins when the one before it is over, so that proofs gather meanwhile. */
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

  /** @returns for each proof how many replicas have it; 0 for what is not there. */
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
    // A slot that has moved is found again by asking for the map anew.
    if (!isSound && redis instanceof Cluster) redis.refreshSlotsCache();
    const replicas = isSound ? Number(waited[1]) : 0;
    return proofs.map((_, place) => (replies[place]?.[1] === 1 ? replicas : 0));
  }
}

/** What stands between the braces: the part of a key that decides its slot. */
function slotOf(key: string): string {
  return /\{(.+?)\}/.exec(key)?.[1] ?? "";
}

function countOnline(info: string): number {
  return [...parseInfo(info)].filter(
    ([name, value]) => /^slave\d+$/.test(name) && value.includes("state=online"),
  ).length;
}
