import { priced } from "./reader.ts";
import type { Doubt, Turn } from "./reader.ts";
import type { Attempt, Span } from "./span.ts";

/** One reading of a range, with its given and its doubtful decisions. */
export interface Tried {
  readonly attempt: Attempt;
  readonly turns: ReadonlyMap<number, Turn>;
  readonly doubts: readonly Doubt[];
}

/** Maximum number of readings of one range. */
const READINGS_MAX = 12;
/** Maximum number of decisions in which a reading differs from the default. */
const TURNS_MAX = 2;

/**
 * Tries the alternatives at doubtful positions of a damaged text, one at a time, then in pairs. Returns the cheapest
 * reading with the others, for the contract to decide.
 */
export function searchReadings(first: Tried, read: (turns: ReadonlyMap<number, Turn>) => Tried): Attempt {
  if (isPlausible(first)) return first.attempt;
  const tried: Tried[] = [first];
  for (let at = 0; at < tried.length && tried.length < READINGS_MAX; at += 1) {
    const from = tried[at];
    if (from === undefined || from.turns.size >= TURNS_MAX) continue;
    const last = Math.max(-1, ...from.turns.keys());
    for (const { at: offset, turn } of from.doubts)
      if (offset > last && tried.length < READINGS_MAX)
        tried.push(read(new Map([...from.turns, [offset, turn]])));
  }
  const spans = tried
    .flatMap(({ attempt }) => attempt.span ?? [])
    .toSorted((a, b) => priced(a.steps).cost - priced(b.steps).cost);
  const [best, ...others] = spans;
  return best === undefined ? first.attempt : { span: { ...best, others } satisfies Span };
}

/** Repairs after which a string may have ended elsewhere. */
const IN_DOUBT: ReadonlySet<string> = new Set([
  "structure_as_text",
  "missing_end_quote",
  "stray_quote",
  "raw_newline",
  "missing_closer",
]);

/** A quotation inside a text is the only fault, so no other reading is cheaper. */
function isPlausible({ attempt }: Tried): boolean {
  return attempt.span?.steps.every(({ step }) => !IN_DOUBT.has(step)) === true;
}
