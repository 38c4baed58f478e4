import type { z } from "zod";
import { signRecord } from "#shared/envelope/seals";
import type { Keyring } from "#shared/envelope/keys";
import type { Store } from "#shared/store";
import { openSigned } from "./record.ts";

/** What every order says that holds until the next one about the same agent. */
export interface StandingOrder {
  /** Plain name of the agent. */
  readonly agent: string;
  readonly by: string;
  readonly at_ms: number;
}

/** One sort of order: what it is filed under, what its signature is for, and its form. */
export interface OrderSort<Order extends StandingOrder> {
  readonly about: string;
  readonly purpose: string;
  readonly schema: z.ZodType<Order>;
}

/** An order as it was signed, by the place where it is written down. */
export type GivenOrder = Readonly<Record<string, string>>;

/**
 * Signs an order and writes it down in the place of the one before.
 *
 * @throws {SigningKeyMissingError} This process has no key to sign with.
 */
export async function giveOrder<Order extends StandingOrder>(
  { store, keyring }: { readonly store: Store; readonly keyring: Keyring },
  { about, purpose }: OrderSort<Order>,
  order: Order,
): Promise<GivenOrder> {
  const signed = signRecord(order, { key: keyring.signing("console", "ward"), purpose });
  const [place, text] = [`${about}:${order.agent}`, JSON.stringify(signed)];
  await store.orders.write(place, text);
  return { [place]: text };
}

/** What people ordered, as far as it verifies: of each agent the newest order of one sort that was seen here. */
export class StandingOrders<Order extends StandingOrder> {
  private readonly keyring: Keyring;
  private readonly sort: OrderSort<Order>;
  private readonly newest = new Map<string, { readonly order: Order; readonly text: string }>();
  private readonly seen = new Map<string, string>();

  constructor(keyring: Keyring, sort: OrderSort<Order>) {
    this.keyring = keyring;
    this.sort = sort;
  }

  /** Takes in what is written down now. An older order, or none, in the place of a newer one changes nothing. */
  update(orders: GivenOrder): void {
    for (const [place, text] of Object.entries(orders)) {
      // A signature is verified once.
      if (!place.startsWith(`${this.sort.about}:`) || this.seen.get(place) === text) continue;
      this.seen.set(place, text);
      const opened = openSigned(text, { keyring: this.keyring, ...this.sort });
      if ("problem" in opened || place !== this.placeOf(opened.signed.agent)) continue;
      const { agent, at_ms } = opened.signed;
      if (at_ms >= (this.of(agent)?.at_ms ?? 0)) this.newest.set(agent, { order: opened.signed, text });
    }
  }

  /** Null where nobody ever said anything. */
  of(agent: string): Order | null {
    return this.newest.get(agent)?.order ?? null;
  }

  /** The newest orders as they were signed, by the place where they are written down. */
  texts(): GivenOrder {
    return Object.fromEntries([...this.newest].map(([agent, { text }]) => [this.placeOf(agent), text]));
  }

  private placeOf(agent: string): string {
    return `${this.sort.about}:${agent}`;
  }
}
