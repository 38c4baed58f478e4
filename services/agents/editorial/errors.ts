import { errorClass } from "#shared/errors";

/** A design leaves out a requirement, answers one twice, or answers another than was stated. */
export const DesignMismatchError = errorClass(
  "EDITORIAL_DESIGN_MISMATCH",
  (requirements: readonly string[]) => ({
    failureClass: "content_error",
    message: `The design does not answer these requirements as they were stated: ${requirements.join(", ")}.`,
    remedy: "Look at the design in the case; if a model keeps doing this, change the electronics prompt.",
  }),
);
