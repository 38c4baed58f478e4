import { z } from "zod";
import type { ContextNeeds } from "#shared/context";
import { contract } from "#shared/contract";
import type { Contract, ContractOutput } from "#shared/contract";
import { agent } from "#shared/runtime";
import type { Context, HandlerOutcome, StandIn, Transitions } from "#shared/runtime";
import { SupervisionInvalidError, SupervisionSpentError } from "./errors.ts";
import { fanOut } from "./fan-out.ts";
import { join } from "./join.ts";
import type { Crew } from "./map-reduce.ts";

/** One piece of work that a supervisor wants done. */
export interface Delegation {
  /** A worker's plain name. */
  readonly worker: string;
  readonly payload: unknown;
  /** Workers that are asked in turn when one before them fails. They take the same contract. Default: none. */
  readonly others?: readonly string[];
}

/** A delegation and what has come of it. */
export interface Delegated<Result> {
  readonly round: number;
  readonly worker: string;
  readonly payload: unknown;
  /** What the worker brought back; null when it failed. */
  readonly result: Result | null;
  /** Why it failed; null when it did not. */
  readonly failure: string | null;
}

/** What a supervisor knows when it plans or reviews. */
export interface Supervision<Goal, Result> {
  readonly goal: Goal;
  /** Everything that was delegated, oldest first, failures included. */
  readonly done: readonly Delegated<Result>[];
  /** Rounds that are over. 0: nothing was delegated, and this is the plan. */
  readonly round: number;
  /** Rounds that are left. 0: only finishing is left. */
  readonly left: number;
}

export type Decision =
  | { readonly delegate: readonly Delegation[] }
  /** Ends the run with this result. */
  | { readonly finish: unknown }
  /** Hands what there is to an agent of `handsOnTo`, which goes on with it. */
  | { readonly handOn: { readonly to: string; readonly payload: unknown } };

export interface SupervisorOptions<Accepts extends Contract, Result extends Contract> {
  /** Contract of the supervisor's task. */
  readonly accepts: Accepts;
  /** Who may be asked, by plain name, with what each accepts. Each hands its result to `<name>-review`. */
  readonly workers: Transitions;
  /** Who may be handed what came of it, by plain name, with what each accepts. Default: nobody. */
  readonly handsOnTo?: Transitions;
  /** What every worker brings back. */
  readonly collects: Result;
  /** Plans, reviews and finishes: asked before the first round and after each. Model calls in it are recorded steps. */
  readonly decide: (
    supervision: Supervision<ContractOutput<Accepts>, ContractOutput<Result>>,
    ctx: Context,
  ) => Decision | Promise<Decision>;
  /** Rounds of delegation at most. Integer, at least 1. Default 5. */
  readonly roundsMax?: number;
  /** Until a worker that has not come back counts as failed, in ms. Default: a worker is waited for. */
  readonly roundMs?: number;
  /** Work under way at once. Default 10. */
  readonly window?: number;
  /** Contracts of the model answers that `decide` asks for. Default: none. */
  readonly answers?: readonly Contract[];
  /** Answers in a rehearsal, by step name. Default: none. */
  readonly standIns?: Readonly<Record<string, StandIn>>;
  /** As of an agent: what the prompts of `decide` hold, and what one may hold at most. */
  readonly needs?: ContextNeeds;
  /** Nominal token budget of one prompt of `decide`. Default: the model's own limit. */
  readonly contextTokensMax?: number;
}

const ROUNDS_MAX = 5;
const WINDOW = 10;

/**
 * A supervisor over workers, as two agents: `<name>` makes the first plan, `<name>-review` sees what each round
 * brought, and delegates again or finishes. What was planned and done travels in sealed messages, so that a crash
 * resumes where it was; failures are seen, and where a delegation names others, the next of them is asked without
 * another decision.
 *
 * Each round is a hop. `<name>-review` may be named wherever workers have to hand back.
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
  const State = stateContract(name, accepts, collects);
  const { handsOnTo = {}, answers, standIns, needs, contextTokensMax } = options;
  const asks = {
    to: { ...workers, ...handsOnTo, [review]: State },
    ...(answers === undefined ? {} : { answers }),
    ...(standIns === undefined ? {} : { standIns }),
    ...(needs === undefined ? {} : { needs }),
    ...(contextTokensMax === undefined ? {} : { contextTokensMax }),
  };
  const desk: Desk = { name, review, workers, roundsMax, options };
  const plan = agent(`${name}@1`, {
    accepts,
    ...asks,
    handle: (goal, ctx) => proceed(desk, { goal, done: [], asked: [], round: 0 }, ctx),
  });
  const reviewing = join(`${review}@1`, {
    accepts: State,
    collects,
    ...asks,
    handle: (input, branches, ctx) => {
      // Of the contract that is made for it below.
      const state = input as State;
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
        return delegate(desk, { state: known, tasks: retried }, ctx);
      return proceed(desk, { ...known, asked: [] }, ctx);
    },
  });
  const loops = [...Object.keys(workers), review].map((from) => `${from}>${review}`);
  return { agents: [plan, reviewing], loops };
}

interface Asked {
  readonly worker: string;
  readonly payload: unknown;
  readonly others: readonly string[];
}

type Done = Delegated<unknown>;

/** What travels from round to round. */
interface State {
  readonly goal: unknown;
  readonly done: readonly Done[];
  /** What this round asks for, in the order of its branches. */
  readonly asked: readonly Asked[];
  readonly round: number;
}

interface Desk {
  readonly name: string;
  readonly review: string;
  readonly workers: Transitions;
  readonly roundsMax: number;
  readonly options: SupervisorOptions<Contract, Contract>;
}

function stateContract(name: string, accepts: Contract, collects: Contract): Contract {
  const done = z.object({
    round: z.int(),
    worker: z.string(),
    payload: z.unknown(),
    result: collects.schema.nullable(),
    failure: z.string().nullable(),
  });
  const asked = z.object({ worker: z.string(), payload: z.unknown(), others: z.array(z.string()) });
  const state = z.object({
    goal: accepts.schema,
    done: z.array(done),
    asked: z.array(asked),
    round: z.int(),
  });
  return contract(`${name}.state@1`, state, { description: "A supervisor's plan and what has come of it." });
}

/** Asks the author's decision and does as it says. */
async function proceed(desk: Desk, state: State, ctx: Context): Promise<HandlerOutcome> {
  const left = desk.roundsMax - state.round;
  const { goal, done, round } = state;
  const decision = await desk.options.decide({ goal, done, round, left }, ctx);
  if ("finish" in decision) return ctx.complete(decision.finish);
  if ("handOn" in decision) return handOn(desk, decision.handOn, ctx);
  if (left === 0) throw new SupervisionSpentError(desk.name, desk.roundsMax);
  const tasks = decision.delegate.map(({ worker, payload, others = [] }) => ({ worker, payload, others }));
  return delegate(desk, { state, tasks }, ctx);
}

function handOn(
  desk: Desk,
  { to, payload }: { readonly to: string; readonly payload: unknown },
  ctx: Context,
): HandlerOutcome {
  if (Object.hasOwn(desk.options.handsOnTo ?? {}, to)) return ctx.handoff(to, payload);
  throw new SupervisionInvalidError(desk.name, `it hands on to ${to.slice(0, 64)}, to whom it may not`);
}

function delegate(
  desk: Desk,
  next: { readonly state: State; readonly tasks: readonly Asked[] },
  ctx: Context,
): HandlerOutcome {
  const { tasks, state } = next;
  const { window = WINDOW, roundMs } = desk.options;
  if (tasks.length === 0)
    throw new SupervisionInvalidError(desk.name, "it delegates nothing and does not finish");
  for (const { worker, others } of tasks) {
    const stranger = [worker, ...others].find((one) => !Object.hasOwn(desk.workers, one));
    if (stranger !== undefined)
      throw new SupervisionInvalidError(
        desk.name,
        `it asks ${stranger.slice(0, 64)}, who is none of its workers`,
      );
  }
  return fanOut({
    branches: tasks.map(({ worker, payload }) => ctx.handoff(worker, payload)),
    join: ctx.handoff(desk.review, { ...state, asked: tasks, round: state.round + 1 }),
    policy: "collect",
    window,
    ...(roundMs === undefined ? {} : { deadlineMs: roundMs }),
  });
}

/** Work that failed and may be asked of another. */
function nextInTurn(asked: readonly Asked[], done: readonly Done[]): Asked[] {
  return asked.flatMap(({ payload, others: [next, ...others] }, index) =>
    done[index]?.failure === null || next === undefined ? [] : [{ worker: next, payload, others }],
  );
}
