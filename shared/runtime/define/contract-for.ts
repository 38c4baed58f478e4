import type { Contract } from "#shared/contract";
import { branchOf, joinOf } from "#shared/envelope";
import type { EnvelopeMeta } from "#shared/envelope";
import type { Agent } from "./define-agent.ts";

/** The contract that a message to this agent has to keep: what a branch brings back has one of its own. */
export function contractFor(agent: Agent, meta: EnvelopeMeta): Contract {
  const { collects } = agent.options;
  if (collects === undefined || joinOf(meta) !== null) return agent.accepts;
  return branchOf(meta)?.join === agent.name ? collects : agent.accepts;
}
