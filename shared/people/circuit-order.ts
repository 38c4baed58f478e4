import { z } from "zod";
import { now } from "#shared/clock";
import type { Keyring } from "#shared/envelope/keys";
import type { Store } from "#shared/store";
import type { Circuit } from "#shared/store/feedback";
import { giveOrder, StandingOrders } from "./standing-orders.ts";
import type { GivenOrder } from "./standing-orders.ts";

const circuitSchema = z.object({
  /** Plain name of the agent. */
  agent: z.string(),
  is_open: z.boolean(),
  by: z.string(),
  at_ms: z.number(),
});

/** A person's signed order about an agent's circuit: open until they close it, then automatic. */
export type CircuitOrder = z.output<typeof circuitSchema>;

export const CIRCUITS = { about: "circuit", purpose: "people-circuit", schema: circuitSchema } as const;

/**
 * Signs and stores an order that opens or closes a circuit.
 * @throws {SigningKeyMissingError} This process has no signing key.
 */
export async function orderCircuit(
  from: { readonly store: Store; readonly keyring: Keyring },
  { agent, is_open, by }: Pick<CircuitOrder, "agent" | "is_open" | "by">,
): Promise<GivenOrder> {
  return giveOrder(from, CIRCUITS, { agent, is_open, by, at_ms: now() });
}

/** Overrides circuits by people's verified orders. */
export class OrderedCircuits {
  private readonly store: Pick<Store, "orders">;
  /** Null without a key to verify: records are then trusted as they are. */
  private readonly orders: StandingOrders<CircuitOrder> | null;

  constructor({ store, keyring }: { readonly store: Pick<Store, "orders">; readonly keyring: Keyring }) {
    this.store = store;
    this.orders = keyring.canVerify("console", "ward") ? new StandingOrders(keyring, CIRCUITS) : null;
  }

  /**
   * Applies the orders to circuits. Read the circuits first: an order is written before its circuit changes, so that
   * a new one is never missed.
   */
  async apply<Read extends Circuit>(circuits: readonly Read[]): Promise<Read[]> {
    if (this.orders === null) return [...circuits];
    this.orders.update(await this.store.orders.read());
    return circuits.map((circuit) => asOrdered(circuit, this.orders?.of(circuit.agent) ?? null));
  }

  /** The newest verified order about an agent; null for none. */
  of(agent: string): CircuitOrder | null {
    return this.orders?.of(agent) ?? null;
  }
}

function asOrdered<Read extends Circuit>(circuit: Read, order: CircuitOrder | null): Read {
  if (order?.is_open === true) return { ...circuit, state: "open", held_by: order.by, until_ms: null };
  return circuit.held_by === null ? circuit : { ...circuit, state: "closed", held_by: null, until_ms: null };
}
