import { now } from "#shared/clock";
import type { Keyring } from "#shared/envelope";
import { OrderedCircuits } from "#shared/people";
import type { Store } from "#shared/store";
import type { Circuit, CircuitStore } from "#shared/store/feedback";
import type { Logger } from "#shared/telemetry";

export interface ApplyCircuitsOptions {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly logger: Logger;
}

/** A circuit follows its order within this, in ms; what differs for longer was brought about by somebody else. */
const SETTLE_MS = 3000;

/**
 * Tells what agents made and hears how circuits stand, as people ordered: one that a person opened is open until they
 * close it, one that is said to be held by a person who ordered nothing is closed. Records that say otherwise are
 * mended.
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
