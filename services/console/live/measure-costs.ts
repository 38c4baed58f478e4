import type { Store } from "#shared/store";
import type { HeldByLimit } from "#shared/store/cases";

/** What the ladder may spend, in USD: as this process is configured, and the surgeon with it. */
export interface SurgeryLimitsView {
  readonly cost_per_case: number;
  readonly cost_per_hour: number;
  readonly cost_per_group: number;
}

/** What the hour's limit holds back. Epoch milliseconds. */
export type HeldBack = Pick<HeldByLimit, "since_ms" | "until_ms" | "refusals">;

/** What surgery costs. Money in USD. */
export interface Costs {
  /** Spent or set aside in each of the last 24 hours, oldest first, the current one last. */
  readonly hours: readonly number[];
  readonly this_hour: number;
  readonly left_this_hour: number;
  readonly limits: SurgeryLimitsView;
  readonly held: HeldBack | null;
}

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
}): Promise<HeldBack | null> {
  const held = await console.store.cases.costs.heldThisHour();
  if (held === null || held.limit_micro < Math.round(console.surgeryLimits.cost_per_hour * MICRO))
    return null;
  const { since_ms, until_ms, refusals } = held;
  return { since_ms, until_ms, refusals };
}
