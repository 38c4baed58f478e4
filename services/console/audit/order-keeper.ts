import { z } from "zod";
import type { Keyring } from "#shared/envelope/keys";
import { PAUSES, StandingOrders } from "#shared/people";
import type { Store } from "#shared/store";
import type { Logger } from "#shared/telemetry";
import { StateFile } from "../state-file.ts";

const fileSchema = z.record(z.string(), z.string());

interface KeeperParts {
  readonly store: Pick<Store, "orders">;
  readonly keyring: Keyring;
  readonly logger: Logger;
  /** Where the newest orders are remembered, out of Redis' reach. */
  readonly file: string;
}

/**
 * Remembers what people ordered last, and puts it back where an older order, or none, stands in its place: a process
 * that starts then has seen neither.
 */
export class OrderKeeper {
  private readonly parts: KeeperParts;
  private readonly pauses;
  private readonly file;

  private constructor(parts: KeeperParts) {
    this.parts = parts;
    this.file = new StateFile(parts.file, fileSchema);
    this.pauses = new StandingOrders(parts.keyring, PAUSES);
  }

  /** A file that is not there, or cannot be read as ours, remembers nothing. */
  static async open(parts: KeeperParts): Promise<OrderKeeper> {
    const keeper = new OrderKeeper(parts);
    keeper.update((await keeper.file.read()) ?? {});
    return keeper;
  }

  /** Remembers an order that was given a moment ago. */
  async remember(given: Readonly<Record<string, string>>): Promise<void> {
    this.update(given);
    await this.keep();
  }

  async round(): Promise<void> {
    const { store, logger } = this.parts;
    const found = await store.orders.read();
    this.update(found);
    await this.keep();
    for (const [about, text] of Object.entries(this.newest())) {
      if (found[about] === text) continue;
      await store.orders.replace(about, { from: found[about] ?? null, to: text });
      logger.error({ about }, "what a person ordered was gone or older, and is put back");
    }
  }

  private update(orders: Readonly<Record<string, string>>): void {
    this.pauses.update(orders);
  }

  private newest(): Readonly<Record<string, string>> {
    return this.pauses.texts();
  }

  private keep(): Promise<void> {
    return this.file.write(() => this.newest());
  }
}
