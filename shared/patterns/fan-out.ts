import type { z } from "zod";
import type { Contract, ContractOutput } from "#shared/contract";
import { agent } from "#shared/runtime";
import type {
  Agent,
  AgentOptions,
  Context,
  Gathered,
  HandlerOutcome,
  HandoffDraft,
  NoTransitions,
  Transitions,
} from "#shared/runtime";
import { FanOutInvalidError } from "./errors.ts";

/** `all`: every branch returned. `collect`: or failed for good, which is listed. `{ quorum: n }`: n returned. */
export type FanOutPolicy = "all" | "collect" | { readonly quorum: number };

export interface FanOutOptions {
  /** Results of `ctx.handoff`, one a branch; any number, including none, to any receivers. */
  readonly branches: readonly HandlerOutcome[];
  /** Result of `ctx.handoff` for the joining agent, which receives it after the branches returned. */
  readonly join: HandlerOutcome;
  /** Default `all`. */
  readonly policy?: FanOutPolicy;
  /** Maximum number of concurrent branches; those in the ward do not count. Integer, at least 1. Default 50. */
  readonly window?: number;
  /** Deadline in ms: then the join runs with what came, and branches not begun expire. Default: the run's expiry. */
  readonly deadlineMs?: number;
  /** Maximum size of all answers together, as JSON; an answer beyond it counts as failed. Default 16 MiB. */
  readonly answersBytesMax?: number;
}

const WINDOW = 50;
const ANSWERS_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Ends a handler with a fan-out: many handoffs (branches) at once, whose results one agent joins (fan-in). A branch may
 * be several agents long; its last agent hands the result to the joining agent, which is declared with `join` and runs
 * once. A fan-out is as durable as any outcome: no crash loses or repeats a part of it.
 *
 * @throws {FanOutInvalidError} A branch or the join is no handoff, or a number is out of range, such as a quorum larger
 * than the number of branches.
 * @example
 * const branches = input.topics.map((topic) => ctx.handoff("study", { topic }));
 * return fanOut({ branches, join: ctx.handoff("merge", input), policy: "collect" });
 */
export function fanOut(options: FanOutOptions): HandlerOutcome {
  const { policy = "all", window = WINDOW, deadlineMs = null, answersBytesMax = ANSWERS_BYTES_MAX } = options;
  const branches = options.branches.flatMap((outcome) => draftsOf(outcome, "branches"));
  const [joining, ...more] = draftsOf(options.join, "join");
  if (joining === undefined || more.length > 0) throw new FanOutInvalidError("join", "is not one handoff");
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
      join: joining,
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

/** The answers and failures of a fan-out's branches, by index. */
export interface Branches<Value> extends Omit<Gathered, "answers"> {
  readonly answers: readonly { readonly index: number; readonly agent: string; readonly value: Value }[];
}

export interface JoinOptions<
  Accepts extends Contract,
  Collects extends Contract,
  To extends Transitions,
  Preferences extends z.ZodObject = z.ZodObject,
  Constraints extends z.ZodObject = z.ZodObject,
> extends Omit<AgentOptions<Accepts, To, Preferences, Constraints>, "handle" | "collects"> {
  /** Contract of a branch's result. */
  readonly collects: Collects;
  /** Runs once a fan-out, with the coordinator's payload and the branches' results. */
  readonly handle: (
    input: ContractOutput<Accepts>,
    branches: Branches<ContractOutput<Collects>>,
    context: Context<To, Preferences, Constraints>,
  ) => HandlerOutcome | Promise<HandlerOutcome>;
}

/**
 * Declares an agent that joins the branches of a fan-out (fan-in). It accepts the coordinator's payload and collects
 * the branches' results; both are handoffs with contracts.
 * @throws {AgentDefinitionError} As `agent`.
 */
export function join<
  const Name extends string,
  Accepts extends Contract,
  Collects extends Contract,
  const To extends Transitions = NoTransitions,
  Preferences extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Constraints extends z.ZodObject = z.ZodObject<Record<never, never>>,
>(
  id: `${Name}@${number}`,
  options: JoinOptions<Accepts, Collects, To, Preferences, Constraints>,
): Agent<Name, Accepts, To, Preferences, Constraints> {
  const { handle, ...rest } = options;
  return agent<Name, Accepts, To, Preferences, Constraints>(id, {
    ...rest,
    handle: (input, context) =>
      // The runtime has checked every answer against `collects`.
      handle(input, context.gathered() as Branches<ContractOutput<Collects>>, context),
  });
}
