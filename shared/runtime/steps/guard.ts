import { now } from "#shared/clock";
import { agentNameOf, checkLimits, isSurgeon, senderOf } from "#shared/envelope";
import { contractFor } from "../define/contract-for.ts";
import type { Delivery } from "../deliver/delivery.ts";
import { MissingCapabilityError } from "../errors.ts";
import { isDecided } from "../deliver/delivery.ts";
import { checkDischarge } from "../deliver/check-discharge.ts";
import { checkHandoffType } from "../define/check-handoff-type.ts";
import { fail } from "./fail.ts";

/** Holds the message against all limits before anything is done for it: expiry, hops, loops, budget, type, skills. */
export function guard(delivery: Delivery): Delivery {
  if (isDecided(delivery) || delivery.message === null) return delivery;
  const { place } = delivery;
  // What may be there already is not for this cluster to end; its stand-in looks at what is not.
  if (place.agent.options.carries === true) return delivery;
  const { envelope } = delivery.message;
  try {
    if (isSurgeon(envelope.meta.source_agent))
      checkDischarge(envelope, {
        team: place.team,
        agent: place.agent.name,
        keyring: place.keyring,
        verifiesAll: place.store.isIsolated,
      });
    checkLimits({
      envelope,
      nowMs: now(),
      agent: place.agent.name,
      loopAllowed: isLoopAllowed(delivery),
    });
    checkHandoffType(place.team, place.agent.name, envelope.meta);
    const missing = envelope.meta.capabilities_required.filter(
      (capability) => !(place.agent.options.capabilities ?? []).includes(capability),
    );
    if (missing.length > 0) throw new MissingCapabilityError(place.agent.id, missing);
    return delivery;
  } catch (error) {
    return fail(delivery, error, { direction: "run", contract: contractFor(place.agent, envelope.meta) });
  }
}

/** Along the edge the message came; one that the surgeon discharged came along its dead message's edge. */
function isLoopAllowed({ place: { team, agent }, message }: Delivery): boolean {
  if (message === null) return false;
  const sender = agentNameOf(senderOf(message.envelope));
  return team.edges.some((edge) => edge.from === sender && edge.to === agent.name && edge.loop);
}
