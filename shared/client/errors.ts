import { defineError, FAILURE_CLASSES, SutureError } from "#shared/errors";
import type { FailureClass } from "#shared/errors";
import type { Problem, RunSummary } from "./types.ts";

/** The gateway refused a call. `code` and `failureClass` are its own. */
export class GatewayProblemError extends SutureError {
  /** HTTP status. */
  readonly status: number;
  /** Finds the request in the gateway's logs and traces; null where it has none. */
  readonly traceId: string | null;
  /** Wait before the call is repeated, in ms, as the gateway asks for. Null: it does not say. */
  readonly retryAfterMs: number | null;

  constructor(problem: Problem, retryAfterMs: number | null) {
    super({
      code: problem.code.toUpperCase(),
      failureClass: problem.failure_class,
      // The detail ends with the remedy.
      message: problem.detail.replace(problem.remedy, "").trim(),
      remedy: problem.remedy,
      issues: problem.errors.map(({ pointer, code, message }) => ({ path: pointer, code, message })),
    });
    this.status = problem.status;
    this.traceId = problem.trace_id;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The gateway gave no answer, or none in time. */
export class UnreachableError extends defineError((origin: string, cause: unknown) => ({
  code: "GATEWAY_UNREACHABLE",
  failureClass: "transient",
  message: `The gateway at ${origin} gives no answer.`,
  remedy: "Check its address and that it runs. A submit may be repeated with the same idempotency key.",
  cause,
})) {}

/** An answer redirects elsewhere. It is not followed, so that the key goes to no other address. */
export class RedirectRefusedError extends defineError((origin: string) => ({
  code: "REDIRECT_REFUSED",
  failureClass: "validation_error",
  message: `${origin} answers with a redirect, which is not followed.`,
  remedy: "Give the client the gateway's final address.",
})) {}

/** An answer is not the gateway's: not JSON, or a problem of an unknown form. `status` is that of HTTP. */
export class AnswerUnreadableError extends defineError((origin: string, status: number) => ({
  code: "ANSWER_UNREADABLE",
  failureClass: status >= 500 ? "transient" : "parse_error",
  message: `${origin} answered ${status} with something that is not a gateway's answer.`,
  remedy: "Check that the address is a gateway's, and what stands between.",
  status,
})) {}

/** The run ended without a result. `reason` says why, as the run's record does: class, code and message. */
export class RunNotCompletedError extends defineError(
  ({ run_id: runId, status, error: reason }: RunSummary & { readonly error: unknown }) => ({
    code: "RUN_NOT_COMPLETED",
    failureClass: classOf(reason) ?? (status === "cancelled" || status === "expired" ? status : "rejected"),
    message: `Run ${runId} is ${status}.`,
    remedy: "Look at the run's error and events; submit the task anew with another idempotency key.",
    runId,
    status,
    reason,
  }),
) {}

/** The run did not end in time. It goes on. */
export class ResultTimedOutError extends defineError((runId: string, timeoutMs: number) => ({
  code: "RESULT_TIMED_OUT",
  failureClass: "timeout",
  message: `Run ${runId} did not end within ${timeoutMs} ms.`,
  remedy: "Ask again later; a run that a person decides about may take days.",
  runId,
})) {}

function classOf(error: unknown): FailureClass | undefined {
  if (typeof error !== "object" || error === null || !("class" in error)) return undefined;
  const { class: found } = error;
  return FAILURE_CLASSES.find((one) => one === found);
}
