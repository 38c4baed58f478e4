import { now } from "#shared/clock";
import { TENANT_DEFAULT } from "#shared/config";
import type { Keys } from "../keys.ts";
import { adoptRuns } from "../scripts/upkeep.ts";
import type { RedisClient } from "../script.ts";
import { ENDED_STATUSES } from "./run-record.ts";

/** Open runs of an account that are looked at in one round. */
const LOOKED_AT = 100;

const DAY_MS = 86_400_000;
const MICRO = 1_000_000;

/** What an account has of what it may have. */
export interface AccountUse {
  /** Runs that have not ended, waiting ones included. */
  readonly running_runs: number;
  /** Runs that no agent has begun. */
  readonly waiting_runs: number;
  readonly cost_today: number;
}

/** Who owns runs, and what counts until they end. Written where runs are accepted and moved; read and mended here. */
export class RunOwners {
  private readonly redis: RedisClient;
  private readonly keys: Keys;

  constructor(redis: RedisClient, keys: Keys) {
    this.redis = redis;
    this.keys = keys;
  }

  /** Gives what was accepted before there were tenants to the default one. Done once; later calls change nothing. */
  async adopt(): Promise<void> {
    const { keys } = this;
    await adoptRuns.run(this.redis, {
      doneMark: keys.runs("owner:adopted"),
      indexOfAll: keys.runs("index"),
      indexOfDefault: keys.runsOf(TENANT_DEFAULT),
      tenants: keys.runs("owners"),
      defaultTenant: TENANT_DEFAULT,
    });
  }

  /** Every tenant that has ever had a run. */
  async tenants(): Promise<string[]> {
    return this.redis.smembers(this.keys.runs("owners"));
  }

  /** Runs of an account that have not ended. */
  async open(account: string): Promise<number> {
    return this.redis.zcard(this.keys.openOf(account));
  }

  /** What counts against an account's limits now. Money in USD, since midnight UTC. */
  async use(account: string): Promise<AccountUse> {
    const [running, waiting, spent] = await Promise.all([
      this.open(account),
      this.redis.zcount(this.keys.openOf(account), 1, 1),
      this.redis.get(this.keys.runs(`owner:spent:${Math.floor(now() / DAY_MS)}:${account}`)),
    ]);
    return { running_runs: running, waiting_runs: waiting, cost_today: Number(spent ?? 0) / MICRO };
  }

  /**
   * Ends the counting of runs that have ended or whose records are gone, some of each account at a time: what an agent
   * of an older release ended, which knows no accounts, or what was removed by hand.
   */
  async closeGone(): Promise<void> {
    for (const account of await this.redis.smembers(this.keys.runs("owner:accounts"))) {
      const key = this.keys.openOf(account);
      const ids = await this.redis.zrandmember(key, LOOKED_AT);
      const states = await Promise.all(ids.map((id: string) => this.redis.hget(this.keys.run(id), "status")));
      const over = ids.filter((_: string, at: number) => isOver(states[at] ?? null));
      if (over.length > 0) await this.redis.zrem(key, ...over);
    }
  }
}

function isOver(status: string | null): boolean {
  return status === null || ENDED_STATUSES.some((ended) => ended === status);
}
