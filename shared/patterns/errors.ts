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

/** No label has most votes, and nothing says which of them to take. */
export class VoteTiedError extends SutureError {
  constructor(step: string, votes: { readonly labels: number; readonly votes: number }) {
    super({
      code: "VOTE_TIED",
      failureClass: "content_error",
      message: `The vote ${step} is tied: ${votes.labels} labels, ${votes.votes} votes for each that leads.`,
      remedy: "Ask an odd number of voters, or declare with onTie which label to take.",
    });
  }
}

/** No voter gave an answer that keeps its contract. */
export class VoteUndecidedError extends SutureError {
  constructor(step: string, voters: number) {
    super({
      code: "VOTE_UNDECIDED",
      failureClass: "content_error",
      message: `None of the ${voters} voters of ${step} gave an answer of use.`,
      remedy:
        "Look at the recorded answers of these steps; most often the prompt or the contract is at fault.",
    });
  }
}

/** A supervisor was declared, or decided, in a way that cannot work. */
export class SupervisionInvalidError extends SutureError {
  constructor(name: string, problem: string) {
    super({
      code: "SUPERVISION_INVALID",
      failureClass: "handler_error",
      message: `The supervisor ${name} cannot go on: ${problem}.`,
      remedy: "Let it delegate to workers that it declares, or finish.",
    });
  }
}

/** A supervisor delegates again when its rounds are spent. */
export class SupervisionSpentError extends SutureError {
  constructor(name: string, roundsMax: number) {
    super({
      code: "SUPERVISION_ROUNDS_SPENT",
      failureClass: "content_error",
      severity: "fatal",
      message: `The supervisor ${name} is not content after ${roundsMax} rounds.`,
      remedy: "Look at what the rounds brought; let it finish with what there is, or raise roundsMax.",
    });
  }
}

/** A router's model says that what came in is of no category that it knows. */
export class RouteUnknownError extends SutureError {
  constructor(router: string) {
    super({
      code: "ROUTE_UNKNOWN",
      failureClass: "content_error",
      message: `${router} knows no category for what came in.`,
      remedy: "Decide in the ward who should take it; if such tasks come again, declare a route for them.",
    });
  }
}

/** A board's control shell was declared, or chose, in a way that cannot work. */
export class ControlShellError extends SutureError {
  constructor(name: string, problem: string) {
    super({
      code: "CONTROL_SHELL_INVALID",
      failureClass: "handler_error",
      message: `The control shell ${name} cannot go on: ${problem}.`,
      remedy: "Let it pick a declared writer, or finish before its turns are spent.",
    });
  }
}
