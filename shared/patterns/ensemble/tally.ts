/** The count of votes so far. Labels in the order of their first vote. */
export interface Tally {
  readonly counts: ReadonlyMap<string, number>;
  /** The labels with most votes: one, several in a tie, none without votes. */
  readonly leaders: readonly string[];
  /** Number of votes of each leader. */
  readonly most: number;
  /** Number of votes of the runner-up; of a leader in a tie. */
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

/** Returns true when the remaining votes cannot change the single leader. */
export function isDecided({ most, second, leaders }: Tally, left: number): boolean {
  return leaders.length === 1 && most > second + left;
}

/**
 * The least number of further votes that could decide: asking fewer cannot end the vote, asking more may waste calls.
 * @param left - Remaining voters. At least 1.
 */
export function votesToDecide({ most, second }: Tally, left: number): number {
  return Math.min(left, Math.max(1, Math.floor((second + left - most) / 2) + 1));
}
