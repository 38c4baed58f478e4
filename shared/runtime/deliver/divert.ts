import { agentNameOf } from "#shared/envelope";
import type { HandoffDraft } from "../define/define-agent.ts";
import type { Delivery } from "./delivery.ts";
import { HANDOFF_TYPE_DEFAULT } from "../define/handoff-matrix.ts";

/**
 * Redirects a handoff to the declared fallback agent while the receiver's circuit is open, if the run may go there
 * and the fallback's own circuit allows it; otherwise returns it unchanged.
 *
 * The child is created for its new receiver and sealed on that edge like any other; its reason says what happened.
 */
export function divert(delivery: Delivery, draft: HandoffDraft): HandoffDraft {
  const { place, message } = delivery;
  if (message === null) return draft;
  const { message_id, path } = message.envelope.meta;
  const passed = new Set(path.map(agentNameOf));
  const type = draft.options.handoffType ?? HANDOFF_TYPE_DEFAULT;
  const tried = new Set<string>();
  let to = draft.to;
  while (place.circuits.isReplaced(to, message_id)) {
    tried.add(to);
    const { reaction } = place.circuits.policyOf(to);
    // Waiting in the fallback's queue is no better than waiting in the receiver's own.
    if (reaction.kind === "pause") return draft;
    if (!("agent" in reaction)) break;
    const next = reaction.agent;
    const edge = place.team.edges.find((one) => one.from === place.agent.name && one.to === next);
    const mayGo =
      edge?.contract === draft.contract.id && edge.types.includes(type) && (edge.loop || !passed.has(next));
    if (!mayGo || tried.has(next)) return draft;
    to = next;
  }
  if (to === draft.to) return draft;
  const { reason = "" } = draft.options;
  const why = `in place of ${draft.to}, whose circuit is open`;
  return { ...draft, to, options: { ...draft.options, reason: reason === "" ? why : `${reason} (${why})` } };
}
