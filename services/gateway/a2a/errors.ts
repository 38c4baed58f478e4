import { RequestMalformedError, TaskNotFoundError } from "@a2a-js/sdk/errors";
import { PayloadContentError, PayloadInvalidError } from "#shared/contract";
import type { Issue } from "#shared/errors";
import { AbsentError, RequestInvalidError } from "#shared/http";
import { NotFoundError } from "#shared/store";
import { IdempotencyConflictError } from "../errors.ts";

/** Faults that a message names at most. */
const ISSUES_TOLD_MAX = 20;

/** Returns the protocol's error for one of ours; others as they are, to be answered with their HTTP status. */
export function toProtocolError(error: unknown): unknown {
  if (error instanceof NotFoundError || error instanceof AbsentError)
    return new TaskNotFoundError({ message: error.message });
  if (error instanceof RequestInvalidError)
    return new RequestMalformedError({ message: `${error.message} ${describeIssues(error.issues)}` });
  if (error instanceof IdempotencyConflictError)
    return new RequestMalformedError({
      message: "The messageId was used for another message. Send a new one.",
    });
  return error;
}

/** Returns the faults of a message's content; null for every other error. */
export function faultsOfContent(error: unknown): readonly Issue[] | null {
  return error instanceof PayloadInvalidError || error instanceof PayloadContentError ? error.issues : null;
}

export function describeIssues(issues: readonly Issue[]): string {
  return issues
    .slice(0, ISSUES_TOLD_MAX)
    .map(({ path, message }) => `${path || "/"}: ${message}`)
    .join("; ");
}
