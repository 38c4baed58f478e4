import type { Agent } from "../define/define-agent.ts";
import type { Team } from "../define/define-team.ts";
import type { Delivery } from "../deliver/delivery.ts";
import { HandoffBudgetExceededError } from "../fan-out/errors.ts";
import { fail } from "../steps/settle.ts";

/** Default maximum of handoffs per message. */
const OF_MESSAGE_MAX = 1000;

/** Default maximum of handoffs per run. */
const OF_RUN_MAX = 10_000;

/** Returns the maximum handoffs of one message of the agent, and of one run of the team. */
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
 * Checks several handoffs of one message against the limits of the agent and the run. The run's count covers all its
 * messages, and repeats are not counted twice.
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
  const wanted = { messageId: hold.messageId, count, max: ofRunMax };
  const made = await place.store.runs.refuseHandoffs(hold.runId, wanted);
  return made === null ? delivery : refuse(`${team.name}/handoffsMax`, { made, max: ofRunMax });
}
