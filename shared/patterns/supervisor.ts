import { z } from "zod";
import type { ContextNeeds } from "#shared/context";
import { contract } from "#shared/contract";
import type { Contract, ContractOutput } from "#shared/contract";
import { agent } from "#shared/runtime";
import type { Context, HandlerOutcome, StandIn, Transitions } from "#shared/runtime";
import { SupervisionInvalidError, SupervisionSpentError } from "./errors.ts";
import { fanOut, join } from "./fan-out.ts";
import type { Crew } from "./map-reduce.ts";

/** One piece of work for a worker. */
export interface Delegation {
  /** Plain name of the worker agent. */
  readonly worker: string;
  readonly payload: unknown;
  /** Fallback workers, asked in turn after a failure. They take the same contract. Default: none. */
  readonly others?: readonly string[];
}

/** A delegation with its result. */
export interface Delegated<Result> {
  readonly round: number;
  readonly worker: string;
  readonly payload: unknown;
  /** The worker's result; null when it failed. */
  readonly result: Result | null;
  /** Reason of its failure. Null: it did not fail. */
  readonly failure: string | null;
}

/** The state in which a supervisor plans or reviews. */
export interface Supervision<Goal, Result> {
  readonly goal: Goal;
  /** All delegations, oldest first, failures included. */
  readonly done: readonly Delegated<Result>[];
  /** Number of completed rounds. 0: nothing was delegated, and this is the plan. */
  readonly round: number;
  /** Number of remaining rounds. 0: the supervisor must finish. */
  readonly left: number;
}

export type Decision =
  | { readonly delegate: readonly Delegation[] }
  /** Ends the run with this result. */
  | { readonly finish: unknown }
  /** Hands the payload to an agent of `handsOnTo`. */
  | { readonly handOn: { readonly to: string; readonly payload: unknown } };

export interface SupervisorOptions<Accepts extends Contract, Result extends Contract> {
  /** Contract of the supervisor's task. */
  readonly accepts: Accepts;
  /** Worker agents by plain name, with what each accepts. Each hands its result to `<name>-review`. */
  readonly workers: Transitions;
  /** Agents that may continue instead, by plain name, with what each accepts. Default: none. */
  readonly handsOnTo?: Transitions;
  /** Contract of every worker's result. */
  readonly collects: Result;
  /** Plans, reviews and finishes: called before the first round and after each. Its model calls are recorded steps. */
  readonly decide: (
    supervision: Supervision<ContractOutput<Accepts>, ContractOutput<Result>>,
    ctx: Context,
  ) => Decision | Promise<Decision>;
  /** Maximum number of rounds. Integer, at least 1. Default 5. */
  readonly roundsMax?: number;
  /** Deadline of a round, in ms; a worker that has not returned counts as failed. Default: none. */
  readonly roundMs?: number;
  /** Maximum number of concurrent delegations. Default 10. */
  readonly window?: number;
  /** Contracts of the model answers that `decide` asks for. Default: none. */
  readonly answers?: readonly Contract[];
  /** Answers in a rehearsal, by step name. Default: none. */
  readonly standIns?: Readonly<Record<string, StandIn>>;
  /** As of an agent: the context that prompts of `decide` hold, and its limits. */
  readonly needs?: ContextNeeds;
  /** Nominal token budget of one prompt of `decide`. Default: the model's own limit. */
  readonly contextTokensMax?: number;
}

const ROUNDS_MAX = 5;
const WINDOW = 10;

/**
 * A supervisor over workers, as two agents: `<name>` plans, `<name>-review` sees each round's results and delegates
 * again or finishes. Plan and results travel in sealed messages, so that a crash resumes in its round. A failed
 * delegation goes to its next fallback worker without another decision. Each round is one hop.
 *
 * @throws {SupervisionInvalidError} `roundsMax` is no integer of at least 1.
 */
export function supervisor<Accepts extends Contract, Result extends Contract>(
  name: string,
  options: SupervisorOptions<Accepts, Result>,
): Crew {
  const { accepts, collects, workers, roundsMax = ROUNDS_MAX } = options;
  if (!Number.isInteger(roundsMax) || roundsMax < 1)
    throw new SupervisionInvalidError(name, "roundsMax is no integer of at least 1");
  const review = `${name}-review`;
  const State = contract(`${name}.state@1`, stateOf(accepts, collects), {
    description: "A supervisor's plan and what has come of it.",
  });
  const { handsOnTo = {}, answers = [], standIns = {}, needs, contextTokensMax } = options;
  const asks = {
    to: { ...workers, ...handsOnTo, [review]: State },
    answers,
    standIns,
    ...(needs === undefined ? {} : { needs }),
    ...(contextTokensMax === undefined ? {} : { contextTokensMax }),
  };
  const self: Supervisor = { name, review, workers, roundsMax, options };
  const plan = agent(`${name}@1`, {
    accepts,
    ...asks,
    handle: (goal, ctx) => proceed(self, { goal, done: [], asked: [], round: 0 }, ctx),
  });
  const reviewing = join(`${review}@1`, {
    accepts: State,
    collects,
    ...asks,
    handle: (state, branches, ctx) => {
      const done = state.asked.map((asked, index): Done => {
        const answer = branches.answers.find((one) => one.index === index);
        const failure = branches.failures.find((one) => one.index === index);
        const why = failure === undefined ? null : (failure.code ?? failure.reason);
        const { worker, payload } = asked;
        return { round: state.round, worker, payload, result: answer?.value ?? null, failure: why };
      });
      const retried = nextInTurn(state.asked, done);
      const known = { ...state, done: [...state.done, ...done] };
      if (retried.length > 0 && state.round < roundsMax)
        return delegate(self, { state: known, tasks: retried }, ctx);
      return proceed(self, { ...known, asked: [] }, ctx);
    },
  });
  const loops = [...Object.keys(workers), review].map((from) => `${from}>${review}`);
  return { agents: [plan, reviewing], loops };
}

/** Declares the supervisor's state, as it travels between rounds. */
function stateOf(accepts: Contract, collects: Contract) {
  const done = z.object({
    round: z.int(),
    worker: z.string(),
    payload: z.unknown(),
    result: collects.schema.nullable(),
    failure: z.string().nullable(),
  });
  const asked = z.object({ worker: z.string(), payload: z.unknown(), others: z.array(z.string()) });
  /** `asked`: this round's delegations, in the order of its branches. */
  return z.object({ goal: accepts.schema, done: z.array(done), asked: z.array(asked), round: z.int() });
}

type State = z.output<ReturnType<typeof stateOf>>;
type Done = State["done"][number];
type Asked = State["asked"][number];

interface Supervisor {
  readonly name: string;
  readonly review: string;
  readonly workers: Transitions;
  readonly roundsMax: number;
  readonly options: SupervisorOptions<Contract, Contract>;
}

async function proceed(self: Supervisor, state: State, ctx: Context): Promise<HandlerOutcome> {
  const left = self.roundsMax - state.round;
  const { goal, done, round } = state;
  const decision = await self.options.decide({ goal, done, round, left }, ctx);
  if ("finish" in decision) return ctx.complete(decision.finish);
  if ("handOn" in decision) return handOn(self, decision.handOn, ctx);
  if (left === 0) throw new SupervisionSpentError(self.name, self.roundsMax);
  const tasks = decision.delegate.map((one) => ({ ...one, others: [...(one.others ?? [])] }));
  return delegate(self, { state, tasks }, ctx);
}

function handOn(
  self: Supervisor,
  { to, payload }: { readonly to: string; readonly payload: unknown },
  ctx: Context,
): HandlerOutcome {
  if (Object.hasOwn(self.options.handsOnTo ?? {}, to)) return ctx.handoff(to, payload);
  throw new SupervisionInvalidError(
    self.name,
    `it hands on to ${to.slice(0, 64)}, which is not in handsOnTo`,
  );
}

function delegate(
  self: Supervisor,
  next: { readonly state: State; readonly tasks: readonly Asked[] },
  ctx: Context,
): HandlerOutcome {
  const { tasks, state } = next;
  const { window = WINDOW, roundMs } = self.options;
  if (tasks.length === 0)
    throw new SupervisionInvalidError(self.name, "it delegates nothing and does not finish");
  for (const { worker, others } of tasks) {
    const unknown = [worker, ...others].find((one) => !Object.hasOwn(self.workers, one));
    if (unknown !== undefined)
      throw new SupervisionInvalidError(
        self.name,
        `it asks ${unknown.slice(0, 64)}, which is none of its workers`,
      );
  }
  return fanOut({
    branches: tasks.map(({ worker, payload }) => ctx.handoff(worker, payload)),
    join: ctx.handoff(self.review, { ...state, asked: tasks, round: state.round + 1 }),
    policy: "collect",
    window,
    ...(roundMs === undefined ? {} : { deadlineMs: roundMs }),
  });
}

function nextInTurn(asked: readonly Asked[], done: readonly Done[]): Asked[] {
  return asked.flatMap(({ payload, others: [next, ...others] }, index) =>
    done[index]?.failure === null || next === undefined ? [] : [{ worker: next, payload, others }],
  );
}
