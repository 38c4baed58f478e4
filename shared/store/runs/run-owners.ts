import { now } from "#shared/clock";
import { ENDED_STATUSES } from "./run-record.ts";
import { StorePart } from "../store-part.ts";

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

/** Ownership and quota usage of runs. Written by the scripts that accept and move runs; read and repaired here. */
export class RunOwners extends StorePart {
  /** Returns every tenant that ever had a run. */
  async tenants(): Promise<string[]> {
    return this.redis.smembers(this.keys.runs("owners"));
  }

  /** Returns the number of an account's runs that have not ended. */
  async open(account: string): Promise<number> {
    return this.redis.zcard(this.keys.openOf(account));
  }

  /** Returns what counts against an account's quota now. Money in USD, since midnight UTC. */
  async use(account: string): Promise<AccountUse> {
    const [running, waiting, spent] = await Promise.all([
      this.open(account),
      this.redis.zcount(this.keys.openOf(account), 1, 1),
      this.redis.get(this.keys.runs(`owner:spent:${Math.floor(now() / DAY_MS)}:${account}`)),
    ]);
    return { running_runs: running, waiting_runs: waiting, cost_today: Number(spent ?? 0) / MICRO };
  }

  /**
   * Stops counting runs that have ended or whose records are gone, some of each account per call: runs ended by
   * agents of older releases, which know no accounts, and runs deleted by hand.
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
