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
      remedy: "Look at the recorded answers of these steps; most often the prompt or the contract is at fault.",
    });
  }
}
