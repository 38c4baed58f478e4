import { now } from "#shared/clock";
import { asOrdered, readCircuitOrders } from "#shared/people";
import type { CircuitOrder } from "#shared/people";
import type { Store } from "#shared/store";
import type { Circuit, CircuitStore } from "#shared/store/feedback";
import type { Logger } from "#shared/telemetry";

export interface ApplyCircuitsOptions {
  readonly store: Store;
  readonly logger: Logger;
}

/** Maximum delay between an order and its circuit, in ms; a longer difference was caused by something else. */
const SETTLE_MS = 3000;

/**
 * Reports outputs and returns the circuits, corrected by people's orders: a circuit that a person opened stays
 * open until they close it, and one that is held open without an order is closed. Corrects the stored records.
 */
export function applyCircuitOrders(options: ApplyCircuitsOptions): Pick<CircuitStore, "report"> {
  return {
    async report(outputs) {
      const found = await options.store.circuits.report(outputs);
      const orders = await readCircuitOrders(options.store);
      const circuits = asOrdered(found, orders);
      for (const [i, one] of found.entries())
        await mend(options, { found: one, wanted: circuits[i], order: orders.get(one.agent) });
      return circuits;
    },
  };
}

async function mend(
  { store, logger }: ApplyCircuitsOptions,
  {
    found,
    wanted,
    order,
  }: {
    readonly found: Circuit;
    readonly wanted: Circuit | undefined;
    readonly order: CircuitOrder | undefined;
  },
): Promise<void> {
  if (wanted === undefined || (wanted.state === found.state && wanted.held_by === found.held_by)) return;
  const { agent, state, generation } = found;
  if (order !== undefined && now() - order.at_ms < SETTLE_MS) return;
  const to = wanted.state === "open" ? "open" : "closed";
  const by = order?.by ?? "suture";
  const why = "Its record was not what people had ordered.";
  const done = await store.circuits.set({ agent, to, by, why, seen: generation });
  if (done === "set")
    logger.error(
      { agent, found: state, wanted: to, ordered_by: order?.by ?? null },
      "without a person's word a circuit was switched, and is switched back",
    );
}
