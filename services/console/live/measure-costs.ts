import type { AnswerOf, ConsoleApi } from "#shared/api";
import type { Store } from "#shared/store";

/** What surgery costs, in USD. */
type Costs = AnswerOf<ConsoleApi["showCosts"]>;

/** What the ladder may spend: as this process is configured, and the surgeon with it. */
export type SurgeryLimitsView = Costs["limits"];

const MICRO = 1_000_000;

export async function measureCosts(console: {
  readonly store: Store;
  readonly surgeryLimits: SurgeryLimitsView;
}): Promise<Costs> {
  const { store, surgeryLimits: limits } = console;
  const [micro, held] = await Promise.all([store.cases.costs.lastHours(), findHeldBack(console)]);
  const hours = micro.map((one) => one / MICRO);
  const spent = hours.at(-1) ?? 0;
  return {
    hours,
    this_hour: spent,
    left_this_hour: Math.max(0, limits.cost_per_hour - spent),
    limits,
    held,
  };
}

/** Null where nothing was held back in this hour, or the limit that did it has been raised since. */
export async function findHeldBack(console: {
  readonly store: Store;
  readonly surgeryLimits: SurgeryLimitsView;
}): Promise<Costs["held"]> {
  const held = await console.store.cases.costs.heldThisHour();
  if (held === null || held.limit_micro < Math.round(console.surgeryLimits.cost_per_hour * MICRO))
    return null;
  const { since_ms, until_ms, refusals } = held;
  return { since_ms, until_ms, refusals };
}
