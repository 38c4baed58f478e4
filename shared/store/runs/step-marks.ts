import type { Keys } from "../keys.ts";
import { advanceStepMark } from "../scripts/run-marks.ts";
import type { RedisClient } from "../script.ts";

/**
 * How many steps of each run were taken by whoever reads them one by one, over all gateways. Only a reader's mark, kept
 * with the run's record and no longer: what happened is in the log.
 */
export class StepMarks {
  private readonly redis: RedisClient;
  private readonly keys: Keys;

  constructor(redis: RedisClient, keys: Keys) {
    this.redis = redis;
    this.keys = keys;
  }

  /** 0 where none was taken, and for a run that is not there. */
  async read(runId: string): Promise<number> {
    return Number((await this.redis.hget(this.keys.run(runId), "steps_taken")) ?? 0);
  }

  /** Takes one more. @returns false where somebody else took it since `seen` was read, or the run is gone. */
  async advance(runId: string, seen: number): Promise<boolean> {
    return advanceStepMark.run(this.redis, { run: this.keys.run(runId), seen });
  }
}
