import { costOfSteps } from "./reader.ts";
import type { Crossroad, Turn } from "./reader.ts";
import type { Attempt, Span } from "./span.ts";

/** One reading of a stretch, with the decisions it was told to take and those it doubted. */
export interface Tried {
  readonly attempt: Attempt;
  readonly turns: ReadonlyMap<number, Turn>;
  readonly crossroads: readonly Crossroad[];
}

/** Readings of one stretch that are tried. */
const READINGS_MAX = 12;
/** Decisions in which one reading may differ from the reader's own. */
const TURNS_MAX = 2;

/**
 * Tries the other ways at the doubtful places of a damaged text: first each by itself, then in pairs. The reading
 * with the fewest liberties comes first, the others go along for the contract to judge.
 */
export function searchReadings(first: Tried, read: (turns: ReadonlyMap<number, Turn>) => Tried): Attempt {
  const tried: Tried[] = [first];
  for (let at = 0; at < tried.length && tried.length < READINGS_MAX; at += 1) {
    const from = tried[at];
    if (from === undefined || from.turns.size >= TURNS_MAX) continue;
    const last = Math.max(-1, ...from.turns.keys());
    for (const { at: place, turn } of from.crossroads)
      if (place > last && tried.length < READINGS_MAX)
        tried.push(read(new Map([...from.turns, [place, turn]])));
  }
  const spans = tried
    .flatMap(({ attempt }) => attempt.span ?? [])
    .toSorted((a, b) => costOfSteps(a.steps) - costOfSteps(b.steps));
  const [best, ...others] = spans;
  return best === undefined ? first.attempt : { span: { ...best, others } satisfies Span };
}
