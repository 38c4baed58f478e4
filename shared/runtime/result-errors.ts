import { errorClass } from "#shared/errors";
import type { Issue } from "#shared/errors";

/** A result does not match the contract that its team declares for results. The agent's bug. */
export const ResultInvalidError = errorClass(
  "RESULT_INVALID",
  (agent: string, contract: string, issues: readonly Issue[]) => ({
    failureClass: "handler_error",
    message: `A result of ${agent} does not satisfy ${contract}, which its team declares for results.`,
    remedy: "Correct the handler, or the contract in the option `result` of the team.",
    issues,
  }),
);
