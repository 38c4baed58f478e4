import type { Contract, ContractOutput } from "#shared/contract";
import { agent } from "#shared/runtime";
import type { Agent, AgentOptions, Context, Gathered, HandlerOutcome, Transitions } from "#shared/runtime";

/** What the branches of a fan-out brought back, by their place in it. */
export interface Branches<Value> extends Omit<Gathered, "answers"> {
  readonly answers: readonly { readonly index: number; readonly agent: string; readonly value: Value }[];
}

export interface JoinOptions<
  Accepts extends Contract,
  Collects extends Contract,
  To extends Transitions,
> extends Omit<AgentOptions<Accepts, To>, "handle" | "collects"> {
  /** What a branch hands to this agent at its end. */
  readonly collects: Collects;
  /** Runs once for each fan-out: with what its coordinator handed to the join, and with what the branches brought. */
  readonly handle: (
    input: ContractOutput<Accepts>,
    branches: Branches<ContractOutput<Collects>>,
    context: Context<To>,
  ) => HandlerOutcome | Promise<HandlerOutcome>;
}

/**
 * Declares an agent at which the branches of fan-outs come together. It accepts what the coordinator hands to it, and
 * collects what the branches do; both are ordinary handoffs with contracts of their own.
 *
 * @throws {AgentDefinitionError} As `agent`.
 */
export function join<
  const Name extends string,
  Accepts extends Contract,
  Collects extends Contract,
  const To extends Transitions = Record<never, Contract>,
>(id: `${Name}@${number}`, options: JoinOptions<Accepts, Collects, To>): Agent<Name, Accepts, To> {
  const { handle, ...rest } = options;
  return agent<Name, Accepts, To>(id, {
    ...rest,
    handle: (input, context) =>
      // Every answer was checked against `collects` by the runtime, of which this is the output.
      handle(input, context.gathered() as Branches<ContractOutput<Collects>>, context),
  });
}
