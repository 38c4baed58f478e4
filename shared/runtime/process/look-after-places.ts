import type { Store } from "#shared/store";
import { retireClaims, retireJobs } from "#shared/store/upkeep";
import type { Logger } from "#shared/telemetry";
import { awaitsAcknowledgement } from "../settle/await-acknowledgement.ts";
import type { Workplace } from "../deliver/delivery.ts";
import { every } from "./every.ts";
import { tendFanOuts } from "../fan-out/tend-fan-outs.ts";
import { sweepStranded } from "./sweep.ts";
import { takeBackUnaccepted } from "./take-back.ts";

/** How often an agent's outbox is looked through for what a crash left undelivered, in ms. */
const RELAY_EVERY_MS = 1000;

/** How often an agent that joins looks after the fan-outs that are due, in ms. */
const TEND_EVERY_MS = 500;

/** How often jobs are looked for that no handler will settle, in ms. */
const SWEEP_EVERY_MS = 5000;

const RETIRE_EVERY_MS = 5000;

/** Finds and finishes, each in its own time, what crashes and age left at agents. Returns how each look is stopped. */
export function lookAfterPlaces(
  {
    store,
    logger,
    retireEveryMs,
  }: { readonly store: Store; readonly logger: Logger; readonly retireEveryMs?: number },
  places: readonly Workplace[],
): readonly (() => void)[] {
  return [
    ...places.map((place) => every(RELAY_EVERY_MS, () => relay(place), logger)),
    ...places.map((place) => every(SWEEP_EVERY_MS, () => sweepStranded(place), logger)),
    ...places.map((place) => every(retireEveryMs ?? RETIRE_EVERY_MS, () => retire(place), logger)),
    ...places
      .filter(keepsFanOuts)
      .map((place) => every(TEND_EVERY_MS, () => tendFanOuts({ ...place, slot: place.agent.name }), logger)),
    // Whoever lists the living forgets the dead; without this a system that nobody looks at would never do so.
    every(SWEEP_EVERY_MS, () => store.registry.live(), logger),
    ...places
      .filter(awaitsAcknowledgement)
      .map((place) => every(RELAY_EVERY_MS, () => takeBackUnaccepted(place), logger)),
  ];
}

/** Of isolated agents the relay looks after them. */
function keepsFanOuts({ agent, store }: Workplace): boolean {
  return agent.options.collects !== undefined && !store.isIsolated;
}

async function relay(place: Workplace): Promise<void> {
  const delivered = await place.settlement.relay(place.agent.name);
  if (delivered > 0) place.logger.info({ agent: place.agent.id, delivered }, "relayed what a crash had left");
}

/** Forgets what has reached its age: finished jobs and claims of side effects. The rest ages by itself. */
async function retire({ store, agent }: Workplace): Promise<void> {
  await retireJobs(store, agent.name, "fresh");
  await retireJobs(store, agent.name, "retry");
  await retireClaims(store, agent.name);
}
