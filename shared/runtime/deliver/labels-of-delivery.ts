import { labelsOf, readTaint } from "#shared/guard";
import type { Delivery, Message } from "./delivery.ts";

/** Every label of what a delivery has read so far, as what it makes will carry them. */
export function labelsOfDelivery(
  { guard, received }: Pick<Delivery, "guard" | "received">,
  { envelope }: Message,
): readonly string[] {
  if (guard !== null) return guard.labels();
  const came = readTaint(envelope.conversation.metadata);
  if (came === null) return received.all();
  return [...new Set([...labelsOf(came), ...received.all()])];
}
