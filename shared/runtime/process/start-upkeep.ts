import type { Store } from "#shared/store";
import { retireClaims, retireJobs } from "#shared/store/upkeep";
import type { Logger } from "#shared/telemetry";
import type { Workplace } from "../deliver/delivery.ts";
import { every } from "./every.ts";
import { tendFanOuts } from "../fan-out/tend-fan-outs.ts";
import { sweepStranded } from "./sweep.ts";

/** Interval of tending due fan-outs at a joining agent, in ms. */
const TEND_EVERY_MS = 500;

/** Interval of the search for stranded jobs, in ms. */
const SWEEP_EVERY_MS = 5000;

const RETIRE_EVERY_MS = 5000;

/**
 * Runs the periodic upkeep of agents: tends fan-outs, sweeps stranded jobs and deletes
 * expired data. Returns functions that stop it.
 */
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
