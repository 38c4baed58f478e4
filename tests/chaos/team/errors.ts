import { SutureError } from "#shared/errors";

/** The outside world of the suite failed: the faults are over some time. */
export class OutsideFailedError extends SutureError {
  constructor(cause?: unknown) {
    super({
      code: "CHAOS_OUTSIDE_FAILED",
      failureClass: "transient",
      message: "The outside system did not answer.",
      remedy: "Try again with the same idempotency key.",
      cause,
    });
  }
}

/** An order that is made to fail, every time. */
export class MoodError extends SutureError {
  constructor() {
    super({
      code: "CHAOS_MOOD",
      failureClass: "handler_error",
      message: "This agent's code fails on such an order.",
      remedy: "None: the order is made to do so.",
    });
  }
}
