import type { Delivery } from "./delivery.ts";

const PREFIX = "label/";

/**
 * Runs work whose result is recorded, and first records the taint labels that it received: a re-run takes the result
 * from the record and does not read again what they came with.
 */
export async function keepLabels<Value>(
  { place, hold, received }: Delivery,
  work: () => Promise<Value> | Value,
): Promise<Value> {
  const before = new Set(received.all());
  const value = await work();
  for (const label of received.all()) {
    if (!before.has(label))
      await place.store.ledger.recordStep(hold, { name: `${PREFIX}${label}`, result: "true" });
  }
  return value;
}

/** Restores the taint labels that were recorded with steps. */
export function restoreLabels({ received }: Delivery, steps: ReadonlyMap<string, string>): void {
  const names = [...steps.keys()].filter((name) => name.startsWith(PREFIX));
  received.add(names.map((name) => name.slice(PREFIX.length)));
}
