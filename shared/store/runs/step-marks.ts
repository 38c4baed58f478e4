import { advanceStepMark } from "../scripts/runs.ts";
import { StorePart } from "../store-part.ts";

/**
 * Read positions in the steps of each run, for clients that fetch steps one by one; shared by all gateways and
 * deleted with the run's record.
 */
export class StepMarks extends StorePart {
  /** Returns the position; 0 for a new or unknown run. */
  async read(runId: string): Promise<number> {
    return Number((await this.redis.hget(this.keys.run(runId), "steps_taken")) ?? 0);
  }

  /**
   * Advances the position by one. @returns False if another client did so since `seen` was read, or the run is gone.
   */
  async advance(runId: string, seen: number): Promise<boolean> {
    return advanceStepMark.run(this.redis, { run: this.keys.run(runId), seen });
  }
}
