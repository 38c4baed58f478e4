import { now } from "#shared/clock";
import type { Keyring } from "#shared/envelope/keys";
import { OrderedCircuits } from "#shared/people";
import type { Store } from "#shared/store";
import type { Circuit, CircuitStore } from "#shared/store/feedback";
import type { Logger } from "#shared/telemetry";

export interface ApplyCircuitsOptions {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly logger: Logger;
}

/** Maximum delay between an order and its circuit, in ms; a longer difference was caused by something else. */
const SETTLE_MS = 3000;

/**
 * Reports outputs and returns the circuits, corrected by people's signed orders: a circuit that a person opened stays
 * open until they close it, and one that is held open without an order is closed. Corrects the stored records.
 */
export function applyCircuitOrders(options: ApplyCircuitsOptions): Pick<CircuitStore, "report"> {
  const ordered = new OrderedCircuits(options);
  return {
    async report(outputs) {
      const found = await options.store.circuits.report(outputs);
      const circuits = await ordered.apply(found);
      for (const [i, one] of found.entries())
        await mend(options, ordered, { found: one, wanted: circuits[i] });
      return circuits;
    },
  };
}

async function mend(
  { store, logger }: ApplyCircuitsOptions,
  ordered: OrderedCircuits,
  { found, wanted }: { readonly found: Circuit; readonly wanted: Circuit | undefined },
): Promise<void> {
  if (wanted === undefined || (wanted.state === found.state && wanted.held_by === found.held_by)) return;
  const { agent, state, generation } = found;
  const order = ordered.of(agent);
  if (order !== null && now() - order.at_ms < SETTLE_MS) return;
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
