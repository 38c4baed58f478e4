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

/** A person's word on an agent's circuit: it stays open until they close it, and then moves by what is counted. */
export type CircuitOrder = z.output<typeof circuitSchema>;

export const CIRCUITS = { about: "circuit", purpose: "people-circuit", schema: circuitSchema } as const;

/**
 * Writes down that a person opened or closed a circuit.
 *
 * @throws {SigningKeyMissingError} This process has no key to sign with.
 */
export async function orderCircuit(
  from: { readonly store: Store; readonly keyring: Keyring },
  { agent, is_open, by }: Pick<CircuitOrder, "agent" | "is_open" | "by">,
): Promise<GivenOrder> {
  return giveOrder(from, CIRCUITS, { agent, is_open, by, at_ms: now() });
}

/** Reads circuits as people ordered: what their records say beside that was written by somebody else. */
export class OrderedCircuits {
  private readonly store: Pick<Store, "orders">;
  /** Null: nobody's word can be verified here, and records are believed as they are. */
  private readonly orders: StandingOrders<CircuitOrder> | null;

  constructor({ store, keyring }: { readonly store: Pick<Store, "orders">; readonly keyring: Keyring }) {
    this.store = store;
    this.orders = keyring.canVerify("console", "ward") ? new StandingOrders(keyring, CIRCUITS) : null;
  }

  /**
   * Returns circuits as they have to be taken. Read them before this is called: an order is written before its circuit
   * is touched, so that no new one is taken for nobody's.
   */
  async apply<Read extends Circuit>(circuits: readonly Read[]): Promise<Read[]> {
    if (this.orders === null) return [...circuits];
    this.orders.update(await this.store.orders.read());
    return circuits.map((circuit) => asOrdered(circuit, this.orders?.of(circuit.agent) ?? null));
  }

  /** The newest order about an agent that this process has seen; null where there is none. */
  of(agent: string): CircuitOrder | null {
    return this.orders?.of(agent) ?? null;
  }
}

function asOrdered<Read extends Circuit>(circuit: Read, order: CircuitOrder | null): Read {
  if (order?.is_open === true) return { ...circuit, state: "open", held_by: order.by, until_ms: null };
  return circuit.held_by === null ? circuit : { ...circuit, state: "closed", held_by: null, until_ms: null };
}
