import { now } from "#shared/clock";
import { readPauses } from "#shared/people";
import type { Store } from "#shared/store";
import type { Job } from "#shared/store/queues";
import { retireClaims, retireJobs } from "#shared/store/upkeep";
import type { Counter, Logger, Metrics } from "#shared/telemetry";
import type { Workplace } from "../deliver/delivery.ts";
import { tendFanOuts } from "../fan-out/tend-fan-outs.ts";
import { sweepStranded } from "./sweep.ts";

/** Interval of tending due fan-outs at a joining agent, in ms. */
const TEND_EVERY_MS = 500;

/** Interval of the search for stranded jobs, in ms. */
const SWEEP_EVERY_MS = 5000;

const RETIRE_EVERY_MS = 5000;

/** Runs agents' upkeep: tends fan-outs, sweeps stranded jobs, deletes expired data. Returns functions to stop it. */
export function startUpkeep(
  {
    store,
    logger,
    retireEveryMs,
  }: { readonly store: Store; readonly logger: Logger; readonly retireEveryMs?: number },
  places: readonly Workplace[],
): readonly (() => void)[] {
  return [
    ...places.map((place) => every(SWEEP_EVERY_MS, () => sweepStranded(place), logger)),
    ...places.map((place) => every(retireEveryMs ?? RETIRE_EVERY_MS, () => retire(place), logger)),
    ...places
      .filter(({ agent }) => agent.options.collects !== undefined)
      .map((place) => every(TEND_EVERY_MS, () => tendFanOuts({ ...place, slot: place.agent.name }), logger)),
    // Listing live processes deletes expired ones, even if nobody opens the console.
    every(SWEEP_EVERY_MS, () => store.registry.live(), logger),
  ];
}

/** Deletes expired finished jobs and claims of side effects; other data expires by itself. */
async function retire({ store, agent }: Workplace): Promise<void> {
  await retireJobs(store, agent.name, "fresh");
  await retireJobs(store, agent.name, "retry");
  await retireClaims(store, agent.name);
}

/** A queue that this process consumes. */
type Lane = Pick<Job, "agent" | "lane">;

/** Returns both queues of one agent. */
export function lanesOf({ agent: { name } }: { readonly agent: { readonly name: string } }): readonly Lane[] {
  return (["fresh", "retry"] as const).map((lane) => ({ agent: name, lane }));
}

interface ApplyPausesOptions {
  readonly store: Store;
  readonly logger: Logger;
  /** Counts queues that were corrected. Default: not counted. */
  readonly metrics?: Metrics | undefined;
}

const EVERY_MS = 1000;

/** Maximum delay between an order and its queue, in ms; a longer difference was caused by something else. */
const SETTLE_MS = 3000;

/** Enforces people's pause orders: pauses and resumes what differs from them. @returns A function that stops it. */
export function applyPauses(options: ApplyPausesOptions, lanes: readonly Lane[]): () => void {
  const { logger, metrics } = options;
  const counted = metrics?.counter(
    "suture_pauses_corrected_total",
    "Queues that were paused or resumed by nobody who may, and made as people had ordered.",
    ["agent"],
  );
  const obey = (store: Store) => obeyOnce({ store, logger }, lanes, counted);
  return every(EVERY_MS, () => Promise.all(options.store.awake.map(obey)), logger);
}

/** In one shard. */
async function obeyOnce(
  { store, logger }: ApplyPausesOptions,
  lanes: readonly Lane[],
  counted: Counter<"agent"> | undefined,
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

/**
 * Repeats a task, starting `intervalMs` after the last run ended, so that slow runs never overlap. A failed run is
 * logged and not retried before the next: every such task is idempotent.
 * @returns A function that stops it.
 */
export function every(intervalMs: number, turn: () => Promise<unknown>, logger: Logger): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout;
  const run = async (): Promise<void> => {
    try {
      await turn();
    } catch (error) {
      if (!stopped) logger.warn({ err: error }, "a regular task failed and will be tried again");
    }
    if (!stopped) arm();
  };
  const arm = (): void => {
    timer = setTimeout(() => void run(), intervalMs);
    timer.unref();
  };
  arm();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
