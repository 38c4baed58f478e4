import type { Contract } from "#shared/contract";
import { branchOf, joinOf } from "#shared/envelope";
import type { EnvelopeMeta } from "#shared/envelope";
import type { Agent } from "./define-agent.ts";

/** Returns the contract of a message to this agent; answers of branches have their own. */
export function contractFor(agent: Agent, meta: EnvelopeMeta): Contract {
  const { collects } = agent.options;
  if (collects === undefined || joinOf(meta) !== null) return agent.accepts;
  return branchOf(meta)?.join === agent.name ? collects : agent.accepts;
}
