import { agentNameOf, senderOf } from "#shared/envelope";
import type { Delivery } from "../deliver/delivery.ts";
import { HANDOFF_TYPE_DEFAULT } from "../define/handoff-matrix.ts";
import type { Commit } from "./commit-of.ts";

/**
 * Counts the result of a handoff for its pair: when its receiver has settled it, or when it could not be sent.
 * Retries and cancelled runs do not count. In memory only.
 */
export function countPairs(delivery: Delivery, { scope }: Commit): void {
  const { place, message, outcome } = delivery;
  if (message === null || outcome === null || scope !== "final") return;
  const { meta } = message.envelope;
  const isCancelled = outcome.kind === "failed" && outcome.failure.failure_class === "cancelled";
  if (!isCancelled) {
    place.circuits.countHandoff({
      from: agentNameOf(senderOf(message.envelope)),
      to: place.agent.name,
      handoff_type: meta.handoff_type,
      contract: meta.contract,
      isDone: outcome.kind !== "failed" && outcome.kind !== "rejected" && outcome.kind !== "gave_up",
    });
  }
  if (outcome.kind !== "handed_off") return;
  for (const { draft, failure } of outcome.handoffs) {
    if (failure === null) continue;
    place.circuits.countHandoff({
      from: place.agent.name,
      to: draft.to,
      handoff_type: draft.options.handoffType ?? HANDOFF_TYPE_DEFAULT,
      contract: draft.contract.id,
      isDone: false,
    });
  }
}
