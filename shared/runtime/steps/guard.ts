import { now } from "#shared/clock";
import { agentNameOf, isSurgeon, senderOf } from "#shared/envelope";
import { checkLimits } from "#shared/envelope/limits";
import { contractFor } from "../define/contract-for.ts";
import type { Delivery } from "../deliver/delivery.ts";
import { MissingCapabilityError } from "../errors.ts";
import { isDecided } from "../deliver/delivery.ts";
import { checkDischarge } from "../deliver/check-discharge.ts";
import { checkHandoffType } from "../define/check-handoff-type.ts";
import { fail } from "./fail.ts";

/** Checks the message against all limits before any work: expiry, hops, loops, budget, type, capabilities. */
export function guard(delivery: Delivery): Delivery {
  if (isDecided(delivery) || delivery.message === null) return delivery;
  const { place } = delivery;
  // A carried message may have arrived already, so this cluster must not end it; the proxy checks it instead.
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

/** Checks the edge that the message came along; for a discharge, that of its dead message. */
function isLoopAllowed({ place: { team, agent }, message }: Delivery): boolean {
  if (message === null) return false;
  const sender = agentNameOf(senderOf(message.envelope));
  return team.edges.some((edge) => edge.from === sender && edge.to === agent.name && edge.loop);
}
