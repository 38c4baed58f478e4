import { timestamp } from "#shared/clock";
import type { Delivery } from "./delivery.ts";
import { eventIdOf } from "../settle/run-change.ts";

/** Work that ends within this time reports its acceptance with its outcome, in ms. */
const QUICK_MS = 25;

/**
 * Reports to the run that an agent has started the message, for display, unless it ends at once. The outcome repeats
 * it, so a lost notice does no harm.
 *
 * @returns A function that cancels the notice.
 */
export function notifyAcceptedUnlessQuick(delivery: Delivery): () => void {
  const timer = setTimeout(() => notifyAccepted(delivery), QUICK_MS);
  return () => clearTimeout(timer);
}

function notifyAccepted(delivery: Delivery): void {
  const { place, hold, message } = delivery;
  const change = {
    event: {
      id: eventIdOf(hold, "accepted"),
      run_id: hold.runId,
      type: "accepted" as const,
      at: timestamp(delivery.startedMs),
      message_id: hold.messageId,
      agent: place.agent.name,
      detail: { hop: message?.envelope.meta.hop_count ?? 0, attempt: delivery.attempt },
    },
    starts: true,
  };
  place.store.outbox.notify(change).catch((error: unknown) => {
    place.logger.debug({ err: error, message_id: hold.messageId }, "the acceptance notice was not written");
  });
}
