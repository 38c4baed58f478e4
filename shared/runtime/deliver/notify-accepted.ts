import { timestamp } from "#shared/clock";
import type { Delivery } from "./delivery.ts";
import { eventIdOf } from "../settle/run-change.ts";

/** Work that ends within this time tells its acceptance together with its outcome, in ms. */
const QUICK_MS = 25;

/**
 * Tells the run that an agent works on it, for eyes that watch, unless the work is through at once: the settled outcome
 * says it again, so that a notice that is lost or left out loses nothing.
 *
 * @returns what calls the notice off.
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
