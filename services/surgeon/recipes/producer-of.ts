import { agentNameOf, senderOf } from "#shared/envelope";
import type { RepairContext } from "../cases/repair-context.ts";

/** The name under which the gateway seals what comes from outside. */
const GATEWAY = "gateway";

/**
 * Returns who made what is wrong with a message, as recipes count producers: the plain name of the agent that sent it,
 * or whose model answered it; `gateway/KEY` for what came from outside under that API key.
 *
 * What an agent writes into `submitted_by` counts for nothing, so that one agent cannot pass for many producers.
 */
export function producerOf({ record, envelope }: RepairContext["message"]): string {
  if (record.subject.kind === "answer") return record.agent;
  const sender = agentNameOf(senderOf(envelope));
  const by = envelope.meta.submitted_by;
  return sender === GATEWAY && by !== undefined ? `${GATEWAY}/${by}` : sender;
}
