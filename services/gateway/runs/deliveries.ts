import type { Store } from "#shared/store";
import type { OutboxEntry } from "#shared/store/settlement";
import type { Logger } from "#shared/telemetry";

/** The slot whose outbox holds what was accepted and not yet delivered. */
const RUNS_SLOT = "runs";

/**
 * Delivers first messages of accepted runs after their clients have their answer. What fails here, or is beyond the
 * bound, stays in the outbox: the relay delivers it.
 */
export class Deliveries {
  private readonly store: Store;
  private readonly logger: Logger;
  private readonly max: number;
  private readonly underway = new Set<Promise<void>>();

  constructor(parts: { readonly store: Store; readonly logger: Logger; readonly deliveriesMax: number }) {
    this.store = parts.store;
    this.logger = parts.logger;
    this.max = parts.deliveriesMax;
  }

  begin(entry: OutboxEntry): void {
    if (this.underway.size >= this.max) return;
    const delivery = this.deliver(entry).finally(() => this.underway.delete(delivery));
    this.underway.add(delivery);
  }

  /** Delivers what others left lying. @returns how many entries. */
  relay(): Promise<number> {
    return this.store.settlement.relay(RUNS_SLOT);
  }

  /** Resolves when everything begun is delivered or has failed. */
  async settled(): Promise<void> {
    await Promise.all(this.underway);
  }

  private async deliver(entry: OutboxEntry): Promise<void> {
    try {
      await this.store.outbox.deliver(entry);
      this.store.outbox.forget(RUNS_SLOT, entry);
    } catch (error) {
      this.logger.warn(
        { err: error, entry_id: entry.id },
        "a first message was not delivered; the relay will",
      );
    }
  }
}
