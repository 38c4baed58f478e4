import type { Contract, ContractOutput } from "#shared/contract";
import { agent } from "#shared/runtime";
import type { Agent, AgentOptions, Context, Gathered, HandlerOutcome, Transitions } from "#shared/runtime";

/** The answers and failures of a fan-out's branches, by index. */
export interface Branches<Value> extends Omit<Gathered, "answers"> {
  readonly answers: readonly { readonly index: number; readonly agent: string; readonly value: Value }[];
}

export interface JoinOptions<
  Accepts extends Contract,
  Collects extends Contract,
  To extends Transitions,
> extends Omit<AgentOptions<Accepts, To>, "handle" | "collects"> {
  /** Contract of a branch's result. */
  readonly collects: Collects;
  /** Runs once a fan-out, with the coordinator's payload and the branches' results. */
  readonly handle: (
    input: ContractOutput<Accepts>,
    branches: Branches<ContractOutput<Collects>>,
    context: Context<To>,
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
  const To extends Transitions = Record<never, Contract>,
>(id: `${Name}@${number}`, options: JoinOptions<Accepts, Collects, To>): Agent<Name, Accepts, To> {
  const { handle, ...rest } = options;
  return agent<Name, Accepts, To>(id, {
    ...rest,
    handle: (input, context) =>
      // The runtime has checked every answer against `collects`.
      handle(input, context.gathered() as Branches<ContractOutput<Collects>>, context),
  });
}
