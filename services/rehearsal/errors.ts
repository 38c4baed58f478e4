import { SutureError } from "#shared/errors";

/** The sandbox's journal has a damaged line. */
export class JournalDamagedError extends SutureError {
  constructor(line: number) {
    super({
      code: "REHEARSAL_JOURNAL_DAMAGED",
      failureClass: "handler_error",
      severity: "fatal",
      message: `Line ${line} of the sandbox's journal cannot be read.`,
      remedy: "Move sandbox.jsonl out of the data folder, or correct that line, and start again.",
    });
  }
}

/** The sandbox is at its limit of records and accepts no more. */
export class SandboxFullError extends SutureError {
  constructor(recordsMax: number) {
    super({
      code: "REHEARSAL_SANDBOX_FULL",
      failureClass: "transient",
      message: `The sandbox holds its ${recordsMax} records and takes no more.`,
      remedy: "Start with an empty data folder.",
    });
  }
}

/** An idempotency key was reused with another request. */
export class IdempotencyConflictError extends SutureError {
  constructor() {
    super({
      code: "REHEARSAL_IDEMPOTENCY_CONFLICT",
      failureClass: "handler_error",
      severity: "fatal",
      message: "This idempotency key was used for another request.",
      remedy: "Use one key for one effect.",
    });
  }
}
