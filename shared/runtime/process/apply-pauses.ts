import { now } from "#shared/clock";
import { readPauses } from "#shared/people";
import type { Store } from "#shared/store";
import type { Job } from "#shared/store/queues";
import type { Counter, Logger, Metrics } from "#shared/telemetry";
import { every } from "./every.ts";

/** A queue that this process consumes. */
export interface Lane {
  readonly agent: string;
  readonly lane: Job["lane"];
}

/** Returns both queues of one agent. */
export function lanesOf({ agent: { name } }: { readonly agent: { readonly name: string } }): readonly Lane[] {
  return [
    { agent: name, lane: "fresh" },
    { agent: name, lane: "retry" },
  ];
}

export interface ApplyPausesOptions {
  readonly store: Store;
  readonly logger: Logger;
  /** Counts queues that were corrected. Default: not counted. */
  readonly metrics?: Metrics | undefined;
}

const EVERY_MS = 1000;

/** Maximum delay between an order and its queue, in ms; a longer difference was caused by something else. */
const SETTLE_MS = 3000;

/**
 * Enforces people's pause orders: pauses a queue that was resumed without an order, and resumes one that was paused
 * without one.
 *
 * @returns A function that stops it.
 */
export function applyPauses(options: ApplyPausesOptions, lanes: readonly Lane[]): () => void {
  const { logger, metrics } = options;
  const counted = metrics?.counter({
    name: "suture_pauses_corrected_total",
    help: "Queues that were paused or resumed by nobody who may, and made as people had ordered.",
    labels: ["agent"],
  });
  return every(EVERY_MS, () => obeyOnce(options, lanes, counted), logger);
}

async function obeyOnce(
  { store, logger }: ApplyPausesOptions,
  lanes: readonly Lane[],
  counted: Counter | undefined,
): Promise<void> {
  // Queues are read first: an order is written before its queue is changed, so a new pause always has its order.
  const found = await Promise.all(lanes.map(({ agent, lane }) => store.queues.of(agent, lane).isPaused()));
  const pauses = await readPauses(store);
  for (const [i, { agent, lane }] of lanes.entries()) {
    const order = pauses.get(agent);
    const wanted = order?.is_paused ?? false;
    if (found[i] === wanted) continue;
    await store.queues.of(agent, lane)[wanted ? "pause" : "resume"]();
    if (order !== undefined && now() - order.at_ms < SETTLE_MS) continue;
    counted?.add({ agent });
    const what = wanted ? "resumed, and is paused again" : "paused, and is resumed";
    logger.error(
      { agent, lane, ordered_by: order?.by ?? null },
      `without a person's word a queue was ${what}`,
    );
  }
}
