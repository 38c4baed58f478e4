import { errorClass } from "#shared/errors";

/** A service answered with something else than its declaration says. */
export const AnswerUndeclaredError = errorClass(
  "ANSWER_UNDECLARED",
  (id: string, status: number, fault: string) => ({
    failureClass: "handler_error",
    message: `${id} answered ${status} with ${fault}.`,
    remedy: "Correct the handler, or the operation's declaration in shared/api.",
  }),
);
