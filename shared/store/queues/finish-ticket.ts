import type { Finished, Finishing } from "../scripts/queues.ts";

/**
 * Lets the script that commits an outcome also finish the job and take the next one: one call to Redis instead of
 * two. Without it, BullMQ finishes the job.
 */
export interface FinishTicket {
  toCall(): Finishing;
  /** Records the reply of a script that finished the job. */
  used(reply: Finished): void;
  /**
   * Records that another script wrote the outcome to this hash. A failover may lose it before the job ends, so the
   * job is finished only if the outcome is there.
   */
  proveBy(ledgerKey: string): void;
}
