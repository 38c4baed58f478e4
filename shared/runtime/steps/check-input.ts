import { checkPayload } from "#shared/contract";
import { crashPoint } from "#shared/crash-points";
import { contractFor } from "../define/contract-for.ts";
import { isDecided } from "../deliver/delivery.ts";
import type { Delivery } from "../deliver/delivery.ts";
import { guardInput } from "../deliver/guard-delivery.ts";
import { fail } from "./fail.ts";

/** Upcasts the payload to this agent's version, checks it against the contract, and runs the declared guard. */
export function checkInput(delivery: Delivery): Delivery {
  if (isDecided(delivery) || delivery.message === null) return delivery;
  const { agent, team } = delivery.place;
  if (agent.options.carries === true) return { ...delivery, input: delivery.job.data };
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
