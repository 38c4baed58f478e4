import { isSurgeon } from "#shared/envelope";
import { healedAnswersOf } from "#shared/ward/moves";
import type { Delivery } from "./delivery.ts";

/**
 * Returns the answer that the surgeon proved and signed, or a person's decision; undefined if there is none. Only a
 * discharge carries one, and `checkDischarge` has verified it.
 */
export function healedAnswerOf(delivery: Pick<Delivery, "message">, step: string): unknown {
  const envelope = delivery.message?.envelope;
  if (envelope === undefined || !isSurgeon(envelope.meta.source_agent)) return undefined;
  return healedAnswersOf(envelope.conversation).get(step);
}
