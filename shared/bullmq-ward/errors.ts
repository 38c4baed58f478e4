import { SutureError } from "#shared/errors";

/** The options of a ward on a BullMQ queue cannot be used. Nothing was read or written. */
export class WardOptionsInvalidError extends SutureError {
  constructor(option: string, problem: string) {
    super({
      code: "BULLMQ_WARD_OPTIONS_INVALID",
      failureClass: "validation_error",
      severity: "fatal",
      message: `The option ${option} of the ward on a BullMQ queue cannot be used: ${problem}.`,
      remedy: "See the options in docs/guides/bullmq-ward.md.",
    });
  }
}
