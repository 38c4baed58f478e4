import type { Agent } from "../define/define-agent.ts";
import type { Team } from "../define/define-team.ts";
import type { Delivery } from "../deliver/delivery.ts";
import { HandoffBudgetExceededError } from "../fan-out/errors.ts";
import { fail } from "../steps/fail.ts";

/** Handoffs of one message at most, unless its agent says otherwise. */
const OF_MESSAGE_MAX = 1000;

/** Handoffs of one run at most, unless its team says otherwise. */
const OF_RUN_MAX = 10_000;

/** Returns how many handoffs one message of the agent, and one run of the team, may lead to. */
export function handoffBounds(
  agent: Pick<Agent, "options">,
  team: Pick<Team, "options">,
): { readonly ofMessage: number; readonly ofRun: number } {
  return {
    ofMessage: agent.options.handoffsMax ?? OF_MESSAGE_MAX,
    ofRun: team.options.handoffsMax ?? OF_RUN_MAX,
  };
}

/**
 * Counts many handoffs of one message against what the agent may make of one message and what the run may make in all.
 * The run's count is one for all its messages, wherever they are, and a repeat is not counted twice.
 */
export async function countHandoffs(delivery: Delivery, count: number): Promise<Delivery> {
  const { place, hold } = delivery;
  const { agent, team } = place;
  const { ofMessage: ofMessageMax, ofRun: ofRunMax } = handoffBounds(agent, team);
  const refuse = (field: string, limit: { readonly made: number; readonly max: number }): Delivery =>
    fail(delivery, new HandoffBudgetExceededError(field, { ...limit, asked: count }), {
      direction: "run",
      contract: agent.accepts,
    });
  if (count > ofMessageMax) return refuse(`${agent.id}/handoffsMax`, { made: 0, max: ofMessageMax });
  // An isolated agent may not write its run: the relay counts.
  if (place.store.isIsolated) return delivery;
  const wanted = { messageId: hold.messageId, count, max: ofRunMax };
  const made = await place.store.runs.refuseHandoffs(hold.runId, wanted);
  return made === null ? delivery : refuse(`${team.name}/handoffsMax`, { made, max: ofRunMax });
}
