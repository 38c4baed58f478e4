import { errorClass } from "#shared/errors";

/** Invalid options of a fan-out: the author's bug. */
export const FanOutInvalidError = errorClass("FAN_OUT_INVALID", (field: string, problem: string) => ({
  failureClass: "handler_error",
  message: `A fan-out's ${field} ${problem}.`,
  remedy: "Give fanOut what ctx.handoff returns, and numbers within their ranges.",
  issues: [{ path: `/${field}`, code: "invalid_fan_out", message: problem }],
}));

/** A tie, or no majority, and no rule that resolves it. */
export const VoteTiedError = errorClass(
  "VOTE_TIED",
  (step: string, votes: { readonly labels: number; readonly votes: number }) => ({
    failureClass: "content_error",
    message: `The vote ${step} is tied: ${votes.labels} labels, ${votes.votes} votes for each leader.`,
    remedy: "Ask an odd number of voters, or declare with onTie which label to take.",
  }),
);

/** No voter gave an answer that keeps its contract. */
export const VoteUndecidedError = errorClass("VOTE_UNDECIDED", (step: string, voters: number) => ({
  failureClass: "content_error",
  message: `None of the ${voters} voters of ${step} gave a usable answer.`,
  remedy: "Read the recorded answers of these steps. Usually the prompt or the contract is at fault.",
}));

/** A supervisor's declaration or decision is invalid. */
export const SupervisionInvalidError = errorClass("SUPERVISION_INVALID", (name: string, problem: string) => ({
  failureClass: "handler_error",
  message: `The supervisor ${name} cannot go on: ${problem}.`,
  remedy: "Let it delegate to workers that it declares, or finish.",
}));

/** A supervisor delegated again after its last round. */
export const SupervisionSpentError = errorClass(
  "SUPERVISION_ROUNDS_SPENT",
  (name: string, roundsMax: number) => ({
    failureClass: "content_error",
    severity: "fatal",
    message: `The supervisor ${name} has not finished after ${roundsMax} rounds.`,
    remedy: "Read the results of its rounds. Let it finish with what it has, or raise roundsMax.",
  }),
);

/** The router's model found no category that fits. */
export const RouteUnknownError = errorClass("ROUTE_UNKNOWN", (router: string) => ({
  failureClass: "content_error",
  message: `${router} has no category that fits its input.`,
  remedy: "Release it from the ward to the right agent. If such tasks recur, declare a route for them.",
}));

/** A control shell's declaration or choice is invalid. */
export const ControlShellError = errorClass("CONTROL_SHELL_INVALID", (name: string, problem: string) => ({
  failureClass: "handler_error",
  message: `The control shell ${name} cannot go on: ${problem}.`,
  remedy: "Let it pick a declared writer, or finish before its turns are spent.",
}));
