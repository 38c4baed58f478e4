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
import { checkPayload } from "#shared/contract";
import { crashPoint } from "#shared/crash-points";
import { guardInput } from "../deliver/guard-delivery.ts";
import { checkRunRules, readTerms } from "../deliver/read-terms.ts";

/** Checks the message against all limits before any work: expiry, hops, loops, budget, type, capabilities. */
export function guard(delivery: Delivery): Delivery {
  if (isDecided(delivery) || delivery.message === null) return delivery;
  const { place } = delivery;
  const { envelope } = delivery.message;
  try {
    if (isSurgeon(envelope.meta.source_agent))
      checkDischarge(envelope, {
        team: place.team,
        agent: place.agent.name,
        keyring: place.keyring,
      });
    checkLimits({
      envelope,
      nowMs: now(),
      agent: place.agent.name,
      loopAllowed: isLoopAllowed(delivery),
    });
    checkRunRules(place.agent.id, envelope, now());
    readTerms(place.agent, envelope);
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

/** Upcasts the payload to this agent's version, checks it against the contract, and runs the declared guard. */
export function checkInput(delivery: Delivery): Delivery {
  if (isDecided(delivery) || delivery.message === null) return delivery;
  const { agent, team } = delivery.place;
  const { message } = delivery;
  const { meta, data_payload } = message.envelope;
  const contract = contractFor(agent, meta);
  try {
    const lifted = team.contracts.upcast(meta.contract, contract, data_payload);
    crashPoint("W14:after_lift");
    const input = checkPayload(contract, lifted);
    const declared = agent.options.guard;
    if (declared === undefined) return { ...delivery, input };
    return { ...delivery, input, guard: guardInput({ ...delivery, message }, { declared, input }) };
  } catch (error) {
    return fail(delivery, error, { direction: "in", contract });
  }
}
