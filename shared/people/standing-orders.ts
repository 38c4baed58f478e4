import { z } from "zod";
import { now } from "#shared/clock";
import type { Keyring } from "#shared/envelope/keys";
import type { Store } from "#shared/store";
import { signRecord } from "#shared/envelope/seals";
import { openSigned } from "./record.ts";

/** An order that stays valid until the next one about the same agent. */
export interface StandingOrder {
  /** Plain name of the agent. */
  readonly agent: string;
  readonly by: string;
  readonly at_ms: number;
}

/** One kind of order: its storage prefix, signature purpose and schema. */
export interface OrderSort<Order extends StandingOrder> {
  readonly about: string;
  readonly purpose: string;
  readonly schema: z.ZodType<Order>;
}

/** Signed orders by storage key. */
export type GivenOrder = Readonly<Record<string, string>>;

/**
 * Signs an order and stores it in place of the previous one.
 * @throws {SigningKeyMissingError} This process has no signing key.
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

/** The newest verified order of one kind for each agent. */
export class StandingOrders<Order extends StandingOrder> {
  private readonly keyring: Keyring;
  private readonly sort: OrderSort<Order>;
  private readonly newest = new Map<string, { readonly order: Order; readonly text: string }>();
  private readonly seen = new Map<string, string>();

  constructor(keyring: Keyring, sort: OrderSort<Order>) {
    this.keyring = keyring;
    this.sort = sort;
  }

  /** Adds the stored orders. A missing or older one never replaces a newer one (rollback protection). */
  update(orders: GivenOrder): void {
    for (const [place, text] of Object.entries(orders)) {
      // Verifies each signature once.
      if (!place.startsWith(`${this.sort.about}:`) || this.seen.get(place) === text) continue;
      this.seen.set(place, text);
      const opened = openSigned(text, { keyring: this.keyring, ...this.sort });
      if ("problem" in opened || place !== this.placeOf(opened.signed.agent)) continue;
      const { agent, at_ms } = opened.signed;
      if (at_ms >= (this.of(agent)?.at_ms ?? 0)) this.newest.set(agent, { order: opened.signed, text });
    }
  }

  /** Null when there never was an order. */
  of(agent: string): Order | null {
    return this.newest.get(agent)?.order ?? null;
  }

  /** The newest signed orders, by storage key. */
  texts(): GivenOrder {
    return Object.fromEntries([...this.newest].map(([agent, { text }]) => [this.placeOf(agent), text]));
  }

  private placeOf(agent: string): string {
    return `${this.sort.about}:${agent}`;
  }
}

const pauseSchema = z.object({
  /** Plain name of the agent, or `ward` for the surgeon. */
  agent: z.string(),
  is_paused: z.boolean(),
  by: z.string(),
  at_ms: z.number(),
});

/** A person's signed order that pauses or resumes an agent's queues, valid until the next one. */
export type PauseOrder = z.output<typeof pauseSchema>;

export const PAUSES = { about: "pause", purpose: "people-pause", schema: pauseSchema } as const;

/**
 * Signs and stores an order that pauses or resumes an agent. Its workers apply it to the queues.
 * @throws {SigningKeyMissingError} This process has no signing key.
 */
export async function orderPause(
  from: { readonly store: Store; readonly keyring: Keyring },
  { agent, is_paused, by }: Pick<PauseOrder, "agent" | "is_paused" | "by">,
): Promise<GivenOrder> {
  return giveOrder(from, PAUSES, { agent, is_paused, by, at_ms: now() });
}
