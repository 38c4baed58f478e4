import type { ModelTier } from "#shared/model";
import type { Delivery } from "../deliver/delivery.ts";

/**
 * Returns the model tier of a step: the step's own, else the agent's; or the one that the team declares for an open
 * circuit. The choice for one message is stable as long as the circuit does not change.
 */
export function tierOf({ place, hold }: Delivery, asked: ModelTier | undefined): ModelTier {
  const { agent, circuits } = place;
  const { reaction } = circuits.policyOf(agent.name);
  if ("tier" in reaction && circuits.isReplaced(agent.name, hold.messageId)) return reaction.tier;
  return asked ?? agent.options.tier ?? "worker";
}

/** Returns the name of the model that a step asks. */
export function modelOf(delivery: Delivery, asked: ModelTier | undefined): string {
  const tier = tierOf(delivery, asked);
  return preferredModel(delivery, tier) ?? delivery.place.model.modelFor(tier);
}

/**
 * Returns the model that a message's user prefers, for steps of the tier `worker`. One that is not allowed, or not any
 * more, is not asked: the tier's own is.
 */
export function preferredModel(
  { place, message }: Pick<Delivery, "place" | "message">,
  tier: ModelTier,
): string | undefined {
  if (tier !== "worker") return undefined;
  const wanted = message?.envelope.user_context.preferences["user_chat_model"];
  return place.limits.userModels.find((one) => one === wanted);
}
