import { SutureError } from "#shared/errors";

/** A fan-out was asked for that cannot be. The author's bug. */
export class FanOutInvalidError extends SutureError {
  constructor(field: string, problem: string) {
    super({
      code: "FAN_OUT_INVALID",
      failureClass: "handler_error",
      message: `A fan-out's ${field} ${problem}.`,
      remedy: "Give fanOut what ctx.handoff returns, and numbers within their ranges.",
      issues: [{ path: `/${field}`, code: "invalid_fan_out", message: problem }],
    });
  }
}
