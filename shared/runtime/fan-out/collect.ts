import { crashPoint } from "#shared/crash-points";
import type { Branch } from "#shared/envelope";
import type { Delivery, Letter } from "../delivery.ts";
import { labelsOfDelivery } from "../labels-of-delivery.ts";
import { deliverFollowing } from "./deliver-following.ts";
import type { KeptAnswer } from "./gather.ts";
import { toMicro } from "./settle-fan-out.ts";

/**
 * Takes what a branch brought back. The agent's handler does not run: it gets all of them at once, later. Taken once
 * for each branch, whatever is delivered again or comes late; the message itself is settled as any other.
 */
export async function collect(
  delivery: Delivery,
  { letter, branch }: { readonly letter: Letter; readonly branch: Branch },
): Promise<Delivery> {
  const { place, hold } = delivery;
  const { meta, billing, data_payload } = letter.envelope;
  const labels = labelsOfDelivery(delivery, letter);
  const answer: KeptAnswer = {
    agent: meta.source_agent,
    contract: meta.contract,
    payload: data_payload,
    ...(labels.length === 0 ? {} : { labels }),
  };
  const { as, entry } = await place.store.fanOuts.collect(place.agent.name, {
    fanOutId: branch.fan_out,
    index: branch.index,
    messageId: hold.messageId,
    answer: JSON.stringify(answer),
    costMicro: toMicro(billing.cost_so_far),
    tokens: billing.tokens_consumed,
  });
  crashPoint("W20:after_collect_before_release");
  if (entry !== null) await deliverFollowing(place, entry);
  crashPoint("W20:after_release_before_commit");
  if (as !== "counted") {
    place.logger.info(
      { message_id: hold.messageId, fan_out: branch.fan_out, branch: branch.index, as },
      "a branch came back and is not counted",
    );
  }
  return { ...delivery, outcome: { kind: "collected", as, branch } };
}
