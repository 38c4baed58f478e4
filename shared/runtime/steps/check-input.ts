import { checkPayload } from "#shared/contract";
import { crashPoint } from "#shared/crash-points";
import { contractFor } from "../contract-for.ts";
import { isDecided } from "../delivery.ts";
import type { Delivery } from "../delivery.ts";
import { fail } from "./fail.ts";

/** Lifts the payload to the version this agent works with and holds it against the contract. */
export function checkInput(delivery: Delivery): Delivery {
  if (isDecided(delivery) || delivery.letter === null) return delivery;
  const { agent, team } = delivery.place;
  if (agent.options.carries === true) return { ...delivery, input: delivery.job.data };
  const { meta, data_payload } = delivery.letter.envelope;
  const contract = contractFor(agent, meta);
  try {
    const lifted = team.contracts.upcast(meta.contract, contract, data_payload);
    crashPoint("W14:after_lift");
    return { ...delivery, input: checkPayload(contract, lifted) };
  } catch (error) {
    return fail(delivery, error, { direction: "in", contract });
  }
}
