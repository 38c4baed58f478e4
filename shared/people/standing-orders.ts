import { z } from "zod";
import { now } from "#shared/clock";
import { readJson } from "#shared/store";
import type { Store } from "#shared/store";
import type { Circuit } from "#shared/store/feedback";

type OrderBook = Pick<Store, "orders">;

const orderFields = {
  /** Plain name of the agent; of a pause also `ward`, for the surgeon. */
  agent: z.string(),
  by: z.string(),
  at_ms: z.number(),
};

const pauseSchema = z.object({ ...orderFields, is_paused: z.boolean() });
const circuitSchema = z.object({ ...orderFields, is_open: z.boolean() });

/** A person's order that pauses or resumes an agent's queues, valid until the next one. */
export type PauseOrder = z.output<typeof pauseSchema>;

/** A person's order about an agent's circuit: open until they close it, then automatic. */
export type CircuitOrder = z.output<typeof circuitSchema>;

/** Orders an agent, or the surgeon (`ward`), to pause or to go on. Its workers apply it to the queues. */
export function orderPause(
  { orders }: OrderBook,
  { agent, is_paused, by }: Omit<PauseOrder, "at_ms">,
): Promise<void> {
  return orders.write(`pause:${agent}`, JSON.stringify({ agent, is_paused, by, at_ms: now() }));
}

/** Orders a circuit open, or leaves it to itself again. */
export function orderCircuit(
  { orders }: OrderBook,
  { agent, is_open, by }: Omit<CircuitOrder, "at_ms">,
): Promise<void> {
  return orders.write(`circuit:${agent}`, JSON.stringify({ agent, is_open, by, at_ms: now() }));
}

/** Reads the pause orders, by agent. */
export function readPauses(store: OrderBook): Promise<ReadonlyMap<string, PauseOrder>> {
  return readOrders(store, "pause:", pauseSchema);
}

/** Reads the orders about circuits, by agent. */
export function readCircuitOrders(store: OrderBook): Promise<ReadonlyMap<string, CircuitOrder>> {
  return readOrders(store, "circuit:", circuitSchema);
}

async function readOrders<Order extends PauseOrder | CircuitOrder>(
  { orders }: OrderBook,
  about: string,
  schema: z.ZodType<Order>,
): Promise<ReadonlyMap<string, Order>> {
  const texts = Object.entries(await orders.read()).filter(([place]) => place.startsWith(about));
  const read = texts.flatMap(([, text]) => schema.safeParse(readJson(text)).data ?? []);
  return new Map(read.map((order) => [order.agent, order]));
}

/**
 * Returns circuits as people ordered, which agents cannot write. Read the circuits first: an order is written before
 * its circuit changes, so that a new one is never missed.
 */
export function asOrdered<Read extends Circuit>(
  circuits: readonly Read[],
  orders: ReadonlyMap<string, CircuitOrder>,
): Read[] {
  return circuits.map((circuit) => {
    const order = orders.get(circuit.agent);
    if (order?.is_open === true) return { ...circuit, state: "open", held_by: order.by, until_ms: null };
    return circuit.held_by === null
      ? circuit
      : { ...circuit, state: "closed", held_by: null, until_ms: null };
  });
}
