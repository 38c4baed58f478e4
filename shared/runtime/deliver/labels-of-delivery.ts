import { labelsOf, readTaint } from "#shared/guard";
import type { Delivery, Message } from "./delivery.ts";

/** Returns the taint labels of everything that a delivery has read so far, which its outputs inherit. */
export function labelsOfDelivery(
  { guard, received }: Pick<Delivery, "guard" | "received">,
  { envelope }: Message,
): readonly string[] {
  if (guard !== null) return guard.labels();
  const came = readTaint(envelope.conversation.metadata);
  if (came === null) return received.all();
  return [...new Set([...labelsOf(came), ...received.all()])];
}
