import { agentNameOf } from "#shared/envelope";
import type { HandoffDraft } from "../define/define-agent.ts";
import type { Delivery } from "./delivery.ts";
import { HANDOFF_TYPE_DEFAULT } from "../define/handoff-matrix.ts";

/**
 * Where a handoff goes in the place of an agent whose circuit is open: to the agent that the team declares, if the run
 * may go there and that agent's own circuit lets it. Else it goes where it was meant to go.
 *
 * The child is made for its new receiver and sealed on that edge, so that nothing about it is out of the ordinary; its
 * reason says what happened.
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
    // To wait in another queue is no better than to wait in its own.
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
