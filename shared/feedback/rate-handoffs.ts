import type { HandoffPair, HandoffRate } from "#shared/store/feedback";

/** A declared handoff as far as its rate goes. */
interface Row {
  readonly team: string | null;
  readonly from: string;
  readonly to: string;
  readonly handoff_type: string;
  readonly contract: string;
  /** A run may go back along it. */
  readonly loop: boolean;
}

/** What became of handoffs of one row. */
export interface Rated {
  readonly done: number;
  readonly failed: number;
  /** `done` of all that ended, 0 to 1; null where none did. */
  readonly success_rate: number | null;
  /** False: something was sent that no team loaded here declares, as in a rolling upgrade or by a person's redirect. */
  readonly is_declared: boolean;
}

/**
 * The matrix of handoffs with what became of them: every declared row, counted over all versions of its contract, and
 * behind them what was counted for no row.
 */
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
