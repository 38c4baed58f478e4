import type { z } from "zod";
import type { Contract, ContractOutput } from "#shared/contract";
import { agent } from "#shared/runtime";
import type {
  Agent,
  AgentOptions,
  Context,
  Gathered,
  HandlerOutcome,
  NoTransitions,
  Transitions,
} from "#shared/runtime";

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
