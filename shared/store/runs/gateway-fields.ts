import { now } from "#shared/clock";
import { replaceField, takeDue } from "../scripts/runs.ts";
import { StorePart } from "../store-part.ts";

/** Field of a run's record that holds its webhook, as JSON text. */
export const WEBHOOK_FIELD = "webhook";

/** Webhooks of tasks, each in the record of its run, and the queue of runs that have one; shared by all gateways. */
export class RunWebhooks extends StorePart {
  async find(runId: string): Promise<string | null> {
    return this.redis.hget(this.keys.run(runId), WEBHOOK_FIELD);
  }

  /** Replaces a webhook (compare-and-set): nothing is written where the run is gone or another gateway wrote. */
  async replace(runId: string, { from, to }: { readonly from: string; readonly to: string }): Promise<void> {
    const hash = this.keys.run(runId);
    await replaceField.run(this.redis, {
      hash,
      field: WEBHOOK_FIELD,
      seen: from,
      sets: { [WEBHOOK_FIELD]: to },
    });
  }

  /** Leases up to `limit` runs that are due. Each is due again after `leaseMs`, or when it is put off. */
  async takeDue(limit: number, leaseMs: number): Promise<readonly string[]> {
    return takeDue.run(this.redis, { due: this.keys.webhooks(), nowMs: now(), leaseMs, limit });
  }

  /** Makes a run due again in so many ms; null: no more. */
  async putOff(runId: string, delayMs: number | null): Promise<void> {
    const due = this.keys.webhooks();
    if (delayMs === null) await this.redis.zrem(due, runId);
    else await this.redis.zadd(due, "XX", now() + delayMs, runId);
  }
}

const STEPS_FIELD = "steps_taken";

/** Read positions in each run's steps, for clients that fetch one by one; of all gateways, deleted with the run. */
export class StepMarks extends StorePart {
  /** Returns the position; 0 for a new or unknown run. */
  async read(runId: string): Promise<number> {
    return Number((await this.redis.hget(this.keys.run(runId), STEPS_FIELD)) ?? 0);
  }

  /** Advances the position by one. @returns False if another client did since `seen` was read, or the run is gone. */
  async advance(runId: string, seen: number): Promise<boolean> {
    return replaceField.run(this.redis, {
      hash: this.keys.run(runId),
      field: STEPS_FIELD,
      seen: seen === 0 ? null : String(seen),
      sets: { [STEPS_FIELD]: seen + 1 },
    });
  }
}
