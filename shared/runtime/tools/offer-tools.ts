import type { Contract } from "#shared/contract";
import { ActionUndeclaredError, scopeOf } from "#shared/guard";
import { isRecord } from "#shared/json";
import { CALLS_MEMBER } from "#shared/model";
import type { Delivery, Message } from "../deliver/delivery.ts";
import type { Tool } from "./define-tool.ts";
import { ToolDefinitionError } from "./errors.ts";

/** Default and maximum of `toolRoundsMax`, and the tools of one step. */
export const TOOL_ROUNDS_DEFAULT = 8;
const TOOL_ROUNDS_MAX = 32;
const TOOLS_MAX = 64;

interface Offer {
  readonly tools?: readonly Tool[] | undefined;
  readonly toolRoundsMax?: number | undefined;
  readonly answers: Contract;
}

/**
 * Returns the tools that a step offers its model, by name. A side effect that an earlier handoff took out of the run's
 * scope is not offered.
 *
 * @throws {ToolDefinitionError} Two tools have one name, or a bound is out of range.
 * @throws {ActionUndeclaredError} The agent's guard does not declare a tool's action.
 */
export function offeredTools(
  { place, message }: Delivery & { readonly message: Message },
  { tools = [], toolRoundsMax = TOOL_ROUNDS_DEFAULT, answers }: Offer,
): ReadonlyMap<string, Tool> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const [first] = tools;
  if (first === undefined) return byName;
  const refuse = (problem: string): never => {
    throw new ToolDefinitionError(first.name, problem);
  };
  if (byName.size < tools.length) refuse("a step offers two tools of one name");
  if (tools.length > TOOLS_MAX) refuse(`a step offers more than ${TOOLS_MAX} tools`);
  if (!Number.isInteger(toolRoundsMax) || toolRoundsMax < 1 || toolRoundsMax > TOOL_ROUNDS_MAX)
    refuse(`toolRoundsMax is no integer from 1 to ${TOOL_ROUNDS_MAX}`);
  const { properties } = answers.jsonSchema;
  if (isRecord(properties) && Object.hasOwn(properties, CALLS_MEMBER))
    refuse(`${answers.id} has a member ${CALLS_MEMBER}, which is how calls are written`);
  const scope = scopeOf(message.envelope.meta);
  const { id: agent, options } = place.agent;
  return new Map(
    [...byName].filter(([, { effect, action }]) => {
      if (effect === "none") return true;
      if (options.guard?.mayCause?.includes(action) === false) throw new ActionUndeclaredError(agent, action);
      return scope?.includes(action) !== false;
    }),
  );
}
