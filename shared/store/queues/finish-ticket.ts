import type { Finished, Finishing } from "../scripts/queues.ts";

/** Lets the script that commits an outcome finish the job and take the next: one call to Redis instead of two. */
export interface FinishTicket {
  toCall(): Finishing;
  /** Records the reply of a script that finished the job. */
  used(reply: Finished): void;
  /** Records that another script wrote the outcome here: the job is finished only if a failover has not lost it. */
  proveBy(ledgerKey: string): void;
}
