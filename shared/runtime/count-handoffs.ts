import type { Delivery } from "./delivery.ts";
import { HandoffBudgetExceededError } from "./fan-out/errors.ts";
import { fail } from "./steps/fail.ts";

/** Handoffs of one message at most, unless its agent says otherwise. */
const OF_MESSAGE_MAX = 1000;

/** Handoffs of one run at most, unless its team says otherwise. */
const OF_RUN_MAX = 10_000;

/**
 * Counts many handoffs of one message against what the agent may make of one message and what the run may make in all.
 * The run's count is one for all its messages, wherever they are, and a repeat is not counted twice.
 */
export async function countHandoffs(delivery: Delivery, count: number): Promise<Delivery> {
  const { place, hold } = delivery;
  const { agent, team } = place;
  const ofMessageMax = agent.options.handoffsMax ?? OF_MESSAGE_MAX;
  const ofRunMax = team.options.handoffsMax ?? OF_RUN_MAX;
  const refuse = (field: string, limit: { readonly made: number; readonly max: number }): Delivery =>
    fail(delivery, new HandoffBudgetExceededError(field, { ...limit, asked: count }), {
      direction: "run",
      contract: agent.accepts,
    });
  if (count > ofMessageMax) return refuse(`${agent.id}/handoffsMax`, { made: 0, max: ofMessageMax });
  const wanted = { messageId: hold.messageId, count, max: ofRunMax };
  const made = await place.store.runs.refuseHandoffs(hold.runId, wanted);
  return made === null ? delivery : refuse(`${team.name}/handoffsMax`, { made, max: ofRunMax });
}
