/** What votes come to so far. Labels in the order in which they were first voted for. */
export interface Tally {
  readonly counts: ReadonlyMap<string, number>;
  /** The labels with most votes: one, or several in a tie; none without a vote. */
  readonly leaders: readonly string[];
  /** Votes of a leader. */
  readonly most: number;
  /** Votes of the strongest label that does not lead; of a leader in a tie. */
  readonly second: number;
}

/** Counts labels; null is an abstention. Pure. */
export function tally(labels: readonly (string | null)[]): Tally {
  const counts = new Map<string, number>();
  for (const label of labels) {
    if (label !== null) counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  const most = Math.max(0, ...counts.values());
  const leaders = [...counts].filter(([, count]) => count === most).map(([label]) => label);
  const rest = [...counts.values()].toSorted((a, b) => b - a);
  return { counts, leaders, most, second: rest[1] ?? 0 };
}

/** Whether the voters that are left cannot change who leads alone. */
export function isDecided({ most, second, leaders }: Tally, left: number): boolean {
  return leaders.length === 1 && most > second + left;
}

/**
 * The fewest further votes that could decide: to ask fewer never ends the vote, to ask more may ask in vain.
 *
 * @param left - Voters that are left. At least 1.
 */
export function votesToDecide({ most, second }: Tally, left: number): number {
  return Math.min(left, Math.max(1, Math.floor((second + left - most) / 2) + 1));
}
