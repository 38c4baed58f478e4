import { SutureError } from "#shared/errors";
import type { FailureClass } from "#shared/errors";

interface LimitInit {
  readonly code: string;
  readonly failureClass: FailureClass;
  readonly message: string;
  readonly remedy: string;
  readonly path: string;
}

/** A limit of the run is reached. Never repaired; the team declares whether the run ends or a person decides. */
class LimitError extends SutureError {
  constructor(init: LimitInit) {
    super({
      code: init.code,
      failureClass: init.failureClass,
      severity: "fatal",
      message: init.message,
      remedy: init.remedy,
      issues: [{ path: init.path, code: init.failureClass, message: init.message }],
    });
  }
}

export class ExpiredError extends LimitError {
  constructor(expiresAt: string) {
    super({
      code: "ENVELOPE_EXPIRED",
      failureClass: "expired",
      message: `The message expired at ${expiresAt}.`,
      remedy: "Run the task again, or give it or the agent a longer life.",
      path: "/meta/expires_at",
    });
  }
}

export class HopLimitError extends LimitError {
  constructor({ hops, hopsMax }: { readonly hops: number; readonly hopsMax: number }) {
    super({
      code: "ENVELOPE_HOP_LIMIT",
      failureClass: "hop_limit",
      message: `The run made ${hops} hops; ${hopsMax} are allowed.`,
      remedy: "Look at the run's path for agents that pass work around, or raise hopsMax of its team.",
      path: "/meta/hop_count",
    });
  }
}

export class LoopDetectedError extends LimitError {
  constructor(agent: string) {
    super({
      code: "ENVELOPE_LOOP_DETECTED",
      failureClass: "loop_detected",
      message: `The run came back to ${agent}, and the team declares no loop there.`,
      remedy: "Declare the loop in the team if it is meant; else correct the agent that sent the work back.",
      path: "/meta/path",
    });
  }
}

export class BudgetExceededError extends LimitError {
  constructor(asked: {
    readonly field: "cost_so_far" | "tokens_consumed";
    readonly spent: number;
    readonly limit: number;
  }) {
    const { field, spent, limit } = asked;
    super({
      code: "ENVELOPE_BUDGET_EXCEEDED",
      failureClass: "budget_exceeded",
      message: `The run's ${field} is ${spent} of ${limit}.`,
      remedy: "Run the task again with a larger budget, or find out what spent it.",
      path: `/billing/${field}`,
    });
  }
}
