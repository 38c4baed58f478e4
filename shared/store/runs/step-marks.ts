import { replaceField } from "../scripts/runs.ts";
import { StorePart } from "../store-part.ts";

const FIELD = "steps_taken";

/**
 * Read positions in the steps of each run, for clients that fetch steps one by one; shared by all gateways and
 * deleted with the run's record.
 */
export class StepMarks extends StorePart {
  /** Returns the position; 0 for a new or unknown run. */
  async read(runId: string): Promise<number> {
    return Number((await this.redis.hget(this.keys.run(runId), FIELD)) ?? 0);
  }

  /**
   * Advances the position by one. @returns False if another client did so since `seen` was read, or the run is gone.
   */
  async advance(runId: string, seen: number): Promise<boolean> {
    const [hash, value] = [this.keys.run(runId), String(seen + 1)];
    return replaceField.run(this.redis, {
      hash,
      field: FIELD,
      seen: seen === 0 ? null : String(seen),
      value,
    });
  }
}
