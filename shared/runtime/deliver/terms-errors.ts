import { SutureError } from "#shared/errors";
import type { Issue } from "#shared/errors";

/** A message's preferences or constraints are not what its agent declares. It must not be handled without them. */
export class TermsInvalidError extends SutureError {
  constructor(agent: string, issues: readonly Issue[]) {
    super({
      code: "TERMS_INVALID",
      failureClass: "unsafe",
      severity: "fatal",
      message: `${agent} cannot read the task's preferences or constraints at ${issues.map(({ path }) => path).join(", ")}.`,
      remedy:
        "Discard the message and submit the task again with what `GET /v1/teams` says that the team takes.",
      issues,
    });
  }
}
