import type { HandoffPair, HandoffRate } from "#shared/store/feedback";

/** A declared transition. */
interface Row {
  readonly team: string | null;
  readonly from: string;
  readonly to: string;
  readonly handoff_type: string;
  readonly contract: string;
  /** True for a transition that may go back. */
  readonly loop: boolean;
}

/** The outcomes of one transition's handoffs. */
export interface Rated {
  readonly done: number;
  readonly failed: number;
  /** Share of `done` in all that ended, 0 to 1; null for none. */
  readonly success_rate: number | null;
  /** False for an undeclared transition, as in a rolling upgrade or after a person's redirect. */
  readonly is_declared: boolean;
}

/** Joins declared transitions with their outcomes, over all contract versions; undeclared ones come last. */
export function rateHandoffs(declared: readonly Row[], rates: readonly HandoffRate[]): (Row & Rated)[] {
  const byRow = Map.groupBy(rates, rowKey);
  const known = new Set(declared.map(rowKey));
  const strangers = rates.filter((rate) => !known.has(rowKey(rate)));
  return [
    ...declared.map((row) => ({ ...row, ...rated(byRow.get(rowKey(row)) ?? []), is_declared: true })),
    ...strangers.map(({ from, to, handoff_type, contract, ...rate }) => ({
      team: null,
      from,
      to,
      handoff_type,
      contract,
      loop: false,
      ...rated([rate]),
      is_declared: false,
    })),
  ];
}

function rowKey({ from, to, handoff_type, contract }: HandoffPair): string {
  return JSON.stringify([from, to, handoff_type, contract.split("@", 1)[0]]);
}

function rated(rates: readonly Pick<HandoffRate, "done" | "failed">[]): Omit<Rated, "is_declared"> {
  const done = rates.reduce((total, rate) => total + rate.done, 0);
  const failed = rates.reduce((total, rate) => total + rate.failed, 0);
  return { done, failed, success_rate: done + failed === 0 ? null : done / (done + failed) };
}
