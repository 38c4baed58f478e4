import { defineError } from "#shared/errors";

interface AskedHandoffs {
  readonly made: number;
  readonly asked: number;
  readonly max: number;
}

/** A run, or one of its messages, would exceed its limit of handoffs. */
export class HandoffBudgetExceededError extends defineError(
  (field: string, { made, asked, max }: AskedHandoffs) => ({
    code: "HANDOFF_BUDGET_EXCEEDED",
    failureClass: "budget_exceeded",
    severity: "fatal",
    message: `${field} allows ${max} handoffs; ${made} were made and ${asked} more were asked for.`,
    remedy: "Look for a fan-out that feeds itself; raise handoffsMax only if that many are intended.",
    issues: [{ path: `/${field}`, code: "budget_exceeded", message: `${made + asked} of ${max} handoffs` }],
  }),
) {}

/** A fan-out names an agent as its join that is not one. */
export class NotAJoinError extends defineError((agent: string, to: string) => ({
  code: "FAN_OUT_JOIN_UNDECLARED",
  failureClass: "handler_error",
  message: `${agent} names ${to.slice(0, 64)} as the join of a fan-out, but it is not a joining agent.`,
  remedy: "Declare the join with `join` of #shared/patterns, and send it the contract that it accepts.",
})) {}

/** A joining agent got a message that belongs to none of its fan-outs. */
export class NotABranchError extends defineError((agent: string) => ({
  code: "FAN_OUT_BRANCH_FOREIGN",
  failureClass: "rejected",
  message: `${agent} is a joining agent, and this message belongs to none of its fan-outs.`,
  remedy: "Hand to a joining agent only from a branch of its fan-out, or as the join of one.",
})) {}

/** The message that waits for branches was delivered too early. It is retried. */
export class JoinNotReadyError extends defineError((agent: string, fanOutId: string) => ({
  code: "FAN_OUT_JOIN_NOT_READY",
  failureClass: "rate_limited",
  message: `The branches of fan-out ${fanOutId} have not all returned to ${agent}.`,
  remedy: "No action needed: the message is retried until they are, or until it expires.",
})) {
  readonly retryAfterMs = 1000;
}

/** The fan-out is unknown: its run has ended and was deleted. */
export class FanOutForgottenError extends defineError((agent: string, fanOutId: string) => ({
  code: "FAN_OUT_FORGOTTEN",
  failureClass: "content_error",
  severity: "fatal",
  message: `Fan-out ${fanOutId} is unknown at ${agent}: its run has ended and was deleted.`,
  remedy: "Submit the task again: the answers of the branches are gone.",
})) {}

/** Too few branches answered, and the team declares that the run then fails. */
export class FanOutUnmetError extends defineError(
  (agent: string, branches: { readonly total: number; readonly answered: number }) => ({
    code: "FAN_OUT_UNMET",
    failureClass: "content_error",
    severity: "fatal",
    message: `${branches.answered} of ${branches.total} branches came back to ${agent}, which are too few.`,
    remedy:
      "Check the branches in the run's log; set onUnmet to `handle`, or require fewer answers, if that is enough.",
  }),
) {}
