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
  if (isPlausible(first)) return first.attempt;
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

/** Liberties after which a string may have ended elsewhere. */
const IN_DOUBT: ReadonlySet<string> = new Set([
  "structure_as_text",
  "missing_end_quote",
  "stray_quote",
  "raw_newline",
  "missing_closer",
]);

/** A quotation inside a text, and nothing else amiss: no other reading could assume less. */
function isPlausible({ attempt }: Tried): boolean {
  return attempt.span?.steps.every(({ step }) => !IN_DOUBT.has(step)) === true;
}
