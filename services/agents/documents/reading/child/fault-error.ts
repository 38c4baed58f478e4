import type { Fault } from "../reading.ts";

/** How a reader in the child says that a file cannot be read. Never leaves the child as an error. */
export class FaultError extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault);
    this.fault = fault;
  }
}
