import type { OutboxEntry } from "#shared/store";
import type { FanOutKeeper } from "./tend-fan-outs.ts";

/** Sends what a fan-out sets in motion. It stands in the outbox: what fails here is left to the relay. */
export async function deliverFollowing(
  { store, slot, logger }: Pick<FanOutKeeper, "store" | "slot" | "logger">,
  entry: OutboxEntry,
): Promise<void> {
  try {
    await store.outbox.deliver(entry, slot);
    store.outbox.forget(slot, entry);
  } catch (error) {
    logger.warn({ err: error, entry: entry.id }, "left to the relay");
  }
}
