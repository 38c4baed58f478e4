import { labelsOf, readTaint } from "#shared/guard";
import type { Delivery, Letter } from "./delivery.ts";

/** Every label of what a delivery has read so far, as what it makes will carry them. */
export function labelsOfDelivery(
  { guard, heard }: Pick<Delivery, "guard" | "heard">,
  { envelope }: Letter,
): readonly string[] {
  if (guard !== null) return guard.labels();
  const came = readTaint(envelope.conversation.metadata);
  if (came === null) return heard.all();
  return [...new Set([...labelsOf(came), ...heard.all()])];
}
