import { SutureError } from "#shared/errors";

/** A service answered with something else than its declaration says. */
export class AnswerUndeclaredError extends SutureError {
  constructor(id: string, status: number, fault: string) {
    super({
      code: "ANSWER_UNDECLARED",
      failureClass: "handler_error",
      message: `${id} answered ${status} with ${fault}.`,
      remedy: "Correct the handler, or the operation's declaration in shared/api.",
    });
  }
}
