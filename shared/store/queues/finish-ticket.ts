import type { Finished, Finishing } from "../scripts/queues.ts";

/**
 * Lets the script that commits an outcome end the job as well and take the next one: one question to Redis where there
 * would be two. Who does not use it leaves that to the engine.
 */
export interface FinishTicket {
  toCall(): Finishing;
  /** The script has done it; this is what it said. */
  used(reply: Finished): void;
  /**
   * The outcome stands in this hash, by a script of its own. Between that one and the end of the job the server may
   * have failed over to one that never heard of it: the job is ended only where the outcome is.
   */
  proveBy(ledgerKey: string): void;
}
