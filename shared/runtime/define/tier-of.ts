import type { ModelTier } from "#shared/model";
import type { Delivery } from "../deliver/delivery.ts";

/**
 * The model that a step asks: the step's own, else the agent's; in their place the one that the team declares while the
 * agent's circuit is open. A message is on one side for as long as the circuit stays as it is.
 */
export function tierOf({ place, hold }: Delivery, asked: ModelTier | undefined): ModelTier {
  const { agent, circuits } = place;
  const { reaction } = circuits.policyOf(agent.name);
  if ("tier" in reaction && circuits.isReplaced(agent.name, hold.messageId)) return reaction.tier;
  return asked ?? agent.options.tier ?? "worker";
}
