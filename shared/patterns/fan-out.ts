import type { HandlerOutcome, HandoffDraft } from "#shared/runtime";
import { FanOutInvalidError } from "./errors.ts";

/**
 * When a join is let go. `all`: every branch came back. `collect`: every branch came back or never will; those that
 * will not are listed. `{ quorum: n }`: n came back, and the rest is not waited for.
 */
export type FanOutPolicy = "all" | "collect" | { readonly quorum: number };

export interface FanOutOptions {
  /** What `ctx.handoff` gives, one for each branch; any number, also none, to one receiver or to many. */
  readonly branches: readonly HandlerOutcome[];
  /** What `ctx.handoff` gives for the agent that joins: it goes there once the branches have come back. */
  readonly join: HandlerOutcome;
  /** Default `all`. */
  readonly policy?: FanOutPolicy;
  /** Branches under way at once; a branch that waits in the ward is not. Integer, at least 1. Default 50. */
  readonly window?: number;
  /**
   * From now, in ms, until the join is let go with what is there. Branches that are not begun by then expire. Default:
   * when the run expires.
   */
  readonly deadlineMs?: number;
  /** Of all answers together, as JSON text; one that passes it counts as failed. Default 16 MiB. */
  readonly answersBytesMax?: number;
}

const WINDOW = 50;
const ANSWERS_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Ends a handler by handing on to many agents at once, to be joined by one.
 *
 * Each branch is an ordinary handoff, and may itself be several agents long; whoever ends it hands its result to the
 * joining agent. That agent, declared with `join`, gets what came back, once. The fan-out is as durable as any outcome:
 * neither the coordinator, nor a branch, nor the join can die at a moment at which it would be lost or done twice.
 *
 * @throws {FanOutInvalidError} A branch or the join is no handoff, or a number is out of its range, as a quorum is that
 * is larger than the number of branches.
 * @example
 * const branches = input.topics.map((topic) => ctx.handoff("study", { topic }));
 * return fanOut({ branches, join: ctx.handoff("merge", input), policy: "collect" });
 */
export function fanOut(options: FanOutOptions): HandlerOutcome {
  const { policy = "all", window = WINDOW, deadlineMs = null, answersBytesMax = ANSWERS_BYTES_MAX } = options;
  const branches = options.branches.flatMap((outcome) => draftsOf(outcome, "branches"));
  const [join, ...more] = draftsOf(options.join, "join");
  if (join === undefined || more.length > 0) throw new FanOutInvalidError("join", "is not one handoff");
  const total = branches.length;
  requireInteger(window, { name: "window", min: 1, max: Infinity });
  requireInteger(answersBytesMax, { name: "answersBytesMax", min: 1, max: Infinity });
  if (deadlineMs !== null) requireInteger(deadlineMs, { name: "deadlineMs", min: 1, max: Infinity });
  if (typeof policy === "object") requireInteger(policy.quorum, { name: "quorum", min: 1, max: total });
  const needed = typeof policy === "object" ? policy.quorum : total;
  return {
    kind: "fanned_out",
    fanOut: {
      branches,
      join,
      needed,
      least: policy === "collect" ? 0 : needed,
      window,
      deadlineMs,
      answersBytesMax,
    },
  };
}

function draftsOf(outcome: HandlerOutcome, field: string): readonly HandoffDraft[] {
  if (outcome.kind !== "handed_off") throw new FanOutInvalidError(field, "holds what is no handoff");
  return outcome.handoffs;
}

function requireInteger(
  value: number,
  field: { readonly name: string; readonly min: number; readonly max: number },
): void {
  const { name, min, max } = field;
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new FanOutInvalidError(name, `is ${value}, not an integer from ${min} to ${max}`);
}
