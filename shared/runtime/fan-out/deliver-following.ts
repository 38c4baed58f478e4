import type { OutboxEntry, Store } from "#shared/store";
import type { Logger } from "#shared/telemetry";

/** The slot that keeps fan-outs, and what reaches it. */
export interface FanOutPlace {
  readonly store: Store;
  /** The agent that joins them; `runs` for those of isolated agents. */
  readonly slot: string;
  readonly logger: Logger;
}

/** Sends what a fan-out sets in motion. It stands in the outbox: what fails here is left to the relay. */
export async function deliverFollowing(
  { store, slot, logger }: FanOutPlace,
  entry: OutboxEntry,
): Promise<void> {
  try {
    await store.outbox.deliver(entry, slot);
    store.outbox.forget(slot, entry);
  } catch (error) {
    logger.warn({ err: error, entry: entry.id }, "left to the relay");
  }
}
