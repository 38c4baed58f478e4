import { defineError } from "#shared/errors";

/** Invalid options of a fan-out: the author's bug. */
export class FanOutInvalidError extends defineError((field: string, problem: string) => ({
  code: "FAN_OUT_INVALID",
  failureClass: "handler_error",
  message: `A fan-out's ${field} ${problem}.`,
  remedy: "Give fanOut what ctx.handoff returns, and numbers within their ranges.",
  issues: [{ path: `/${field}`, code: "invalid_fan_out", message: problem }],
})) {}

/** A tie, or no majority, and no rule that resolves it. */
export class VoteTiedError extends defineError(
  (step: string, votes: { readonly labels: number; readonly votes: number }) => ({
    code: "VOTE_TIED",
    failureClass: "content_error",
    message: `The vote ${step} is tied: ${votes.labels} labels, ${votes.votes} votes for each leader.`,
    remedy: "Ask an odd number of voters, or declare with onTie which label to take.",
  }),
) {}

/** No voter gave an answer that keeps its contract. */
export class VoteUndecidedError extends defineError((step: string, voters: number) => ({
  code: "VOTE_UNDECIDED",
  failureClass: "content_error",
  message: `None of the ${voters} voters of ${step} gave a usable answer.`,
  remedy: "Read the recorded answers of these steps. Usually the prompt or the contract is at fault.",
})) {}

/** A supervisor's declaration or decision is invalid. */
export class SupervisionInvalidError extends defineError((name: string, problem: string) => ({
  code: "SUPERVISION_INVALID",
  failureClass: "handler_error",
  message: `The supervisor ${name} cannot go on: ${problem}.`,
  remedy: "Let it delegate to workers that it declares, or finish.",
})) {}

/** A supervisor delegated again after its last round. */
export class SupervisionSpentError extends defineError((name: string, roundsMax: number) => ({
  code: "SUPERVISION_ROUNDS_SPENT",
  failureClass: "content_error",
  severity: "fatal",
  message: `The supervisor ${name} has not finished after ${roundsMax} rounds.`,
  remedy: "Read the results of its rounds. Let it finish with what it has, or raise roundsMax.",
})) {}

/** The router's model found no category that fits. */
export class RouteUnknownError extends defineError((router: string) => ({
  code: "ROUTE_UNKNOWN",
  failureClass: "content_error",
  message: `${router} has no category that fits its input.`,
  remedy: "Release it from the ward to the right agent. If such tasks recur, declare a route for them.",
})) {}

/** A control shell's declaration or choice is invalid. */
export class ControlShellError extends defineError((name: string, problem: string) => ({
  code: "CONTROL_SHELL_INVALID",
  failureClass: "handler_error",
  message: `The control shell ${name} cannot go on: ${problem}.`,
  remedy: "Let it pick a declared writer, or finish before its turns are spent.",
})) {}
