import type { Fault } from "../reading.ts";

/** Thrown by a reader in the child for a file that cannot be read. Never leaves the child as an error. */
export class FaultError extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault);
    this.fault = fault;
  }
}
