import type { OutboxEntry } from "#shared/store";
import type { Workplace } from "../delivery.ts";

/** Sends what a fan-out sets in motion. It stands in the outbox: what fails here is left to the relay. */
export async function deliverFollowing(place: Workplace, entry: OutboxEntry): Promise<void> {
  const { store, agent, logger } = place;
  try {
    await store.outbox.deliver(entry, agent.name);
    store.outbox.forget(agent.name, entry);
  } catch (error) {
    logger.warn({ err: error, entry: entry.id }, "left to the relay");
  }
}
