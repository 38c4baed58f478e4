import { agentNameOf, senderOf } from "#shared/envelope";
import type { RepairContext } from "../cases/repair-context.ts";

/** Sender name in messages that the gateway seals. */
const GATEWAY = "gateway";

/**
 * Returns the producer of a message's fault, as recipes count producers: the plain name of the agent that sent it, or
 * whose model answered it; `gateway/KEY` for a message submitted under that API key.
 *
 * Ignores an agent's `submitted_by`, so that one agent cannot count as many producers.
 */
export function producerOf({ record, envelope }: RepairContext["message"]): string {
  if (record.subject.kind === "answer") return record.agent;
  const sender = agentNameOf(senderOf(envelope));
  const by = envelope.meta.submitted_by;
  return sender === GATEWAY && by !== undefined ? `${GATEWAY}/${by}` : sender;
}
