import { now } from "#shared/clock";
import { StorePart, sum } from "../store-part.ts";

/** Maximum open runs of an account checked in one round. */
const LOOKED_AT = 100;

const DAY_MS = 86_400_000;
const MICRO = 1_000_000;

/** Usage of an account's quota. */
export interface AccountUse {
  /** Runs that have not ended, waiting ones included. */
  readonly running_runs: number;
  /** Runs that no agent has started. */
  readonly waiting_runs: number;
  readonly cost_today: number;
}

/** Ownership and quotas of runs, over the shards that answer. Scripts write it; it is read and repaired here. */
export class RunOwners extends StorePart {
  /** Returns every tenant that ever had a run. */
  async tenants(): Promise<string[]> {
    const owners = await this.fromEach(({ redis, keys }) => redis.smembers(keys.runs("owners")));
    return [...new Set(owners.flat())];
  }

  /** Returns the number of an account's runs that have not ended. */
  async open(account: string): Promise<number> {
    return sum(await this.fromEach(({ redis, keys }) => redis.zcard(keys.openOf(account))));
  }

  /** Returns what counts against an account's quota now. Money in USD, since midnight UTC. */
  async use(account: string): Promise<AccountUse> {
    const day = Math.floor(now() / DAY_MS);
    const [running, waiting, spent] = await Promise.all([
      this.open(account),
      this.fromEach(({ redis, keys }) => redis.zcount(keys.openOf(account), 1, 1)),
      this.fromEach(({ redis, keys }) => redis.get(keys.runs(`owner:spent:${day}:${account}`))),
    ]);
    return { running_runs: running, waiting_runs: sum(waiting), cost_today: sum(spent.map(Number)) / MICRO };
  }

  /** Stops counting runs whose records were deleted by hand, some of each account per call. Of one shard. */
  async closeGone(): Promise<void> {
    for (const account of await this.redis.smembers(this.keys.runs("owner:accounts"))) {
      const key = this.keys.openOf(account);
      const ids = await this.redis.zrandmember(key, LOOKED_AT);
      const found = await Promise.all(ids.map((id: string) => this.redis.exists(this.keys.run(id))));
      const gone = ids.filter((_: string, at: number) => found[at] === 0);
      if (gone.length > 0) await this.redis.zrem(key, ...gone);
    }
  }
}
