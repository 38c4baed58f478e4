import { crashPoint } from "#shared/crash-points";
import type { Branch } from "#shared/envelope";
import type { CollectedBranch } from "#shared/store/settlement";
import type { Delivery, Message } from "../deliver/delivery.ts";
import { labelsOfDelivery } from "../deliver/guard-state.ts";
import type { Outcome } from "../settle/outcome.ts";
import type { KeptAnswer } from "./gather.ts";
import { toMicro } from "./settle-fan-out.ts";

/** Recorded outcome of a branch's return. */
type Taken = Extract<Outcome, { readonly kind: "collected" }>;

/**
 * Records a branch's answer, once per branch, whatever is redelivered or late. Does not run the agent's handler,
 * which gets all answers together later. The message itself is settled like any other.
 */
export async function collect(
  delivery: Delivery,
  { message, branch }: { readonly message: Message; readonly branch: Branch },
): Promise<Delivery> {
  const { meta, data_payload } = message.envelope;
  const labels = labelsOfDelivery(delivery, message);
  const answer: KeptAnswer = {
    agent: meta.source_agent,
    contract: meta.contract,
    payload: data_payload,
    ...(labels.length === 0 ? {} : { labels }),
  };
  const brought = { fanOutId: branch.fan_out, index: branch.index, answer: JSON.stringify(answer) };
  return { ...delivery, outcome: await take(delivery, { message, branch, brought }) };
}

async function take(
  { place, hold }: Delivery,
  came: { readonly message: Message; readonly branch: Branch; readonly brought: CollectedBranch },
): Promise<Taken> {
  const { message, branch, brought } = came;
  // An isolated agent keeps no fan-outs: the relay records its answers.
  if (place.store.isIsolated) return { kind: "collected", as: null, branch, brought };
  const { billing } = message.envelope;
  const { as, entry } = await place.store.fanOuts.collect(place.agent.name, {
    ...brought,
    messageId: hold.messageId,
    costMicro: toMicro(billing.cost_so_far),
    tokens: billing.tokens_consumed,
  });
  crashPoint("W20:after_collect_before_release");
  if (entry !== null) await place.settlement.deliver(place.agent.name, entry);
  crashPoint("W20:after_release_before_commit");
  if (as !== "counted") {
    place.logger.info(
      { message_id: hold.messageId, fan_out: branch.fan_out, branch: branch.index, as },
      "a branch came back and is not counted",
    );
  }
  return { kind: "collected", as, branch, brought };
}
