import { SutureError } from "#shared/errors";

/** A design leaves out a requirement, answers one twice, or answers another than was stated. */
export class DesignMismatchError extends SutureError {
  constructor(requirements: readonly string[]) {
    super({
      code: "EDITORIAL_DESIGN_MISMATCH",
      failureClass: "content_error",
      message: `The design does not answer these requirements as they were stated: ${requirements.join(", ")}.`,
      remedy: "Look at the design in the case; if a model keeps doing this, change the electronics prompt.",
    });
  }
}
