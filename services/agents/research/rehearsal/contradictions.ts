import { readFigures } from "../reading/figures.ts";
import { shareOf, termsOf } from "../reading/words.ts";

/** Something that a source says. */
export interface Statement {
  readonly quote: string;
  readonly source_id: string;
}

/** Share of the shorter statement's words that both have, from which they are about the same thing. */
const ALIKE = 0.6;
const ALIKE_WORDS = 3;
/** What is spent each year is another figure than what was spent once. */
const RATE = /\b(?:a year|per year)\b/;
/** A figure, or a month beside one. */
const FIGURE = /\d|^(?:january|february|march|april|june|july|august|september|october|november|december)$/;

/**
 * Finds pairs of statements of different sources about the same thing with other figures. Says nothing of
 * contradictions in words alone.
 */
export function findContradictions<S extends Statement>(
  statements: readonly S[],
): { readonly one: S; readonly other: S }[] {
  return statements.flatMap((one, index) =>
    statements
      .slice(index + 1)
      .filter((other) => one.source_id !== other.source_id && contradict(one.quote, other.quote))
      .map((other) => ({ one, other })),
  );
}

function contradict(one: string, other: string): boolean {
  if (RATE.test(one) !== RATE.test(other)) return false;
  const [left, right] = [aboutOf(one), aboutOf(other)].toSorted((a, b) => a.size - b.size);
  if (left === undefined || right === undefined || left.intersection(right).size < ALIKE_WORDS) return false;
  const [ours, theirs] = [readFigures(one), readFigures(other)];
  const isOther = ours.size > 0 && theirs.size > 0 && ours.isDisjointFrom(theirs);
  return isOther && shareOf(left, right) >= ALIKE;
}

/** The words of a statement without its figures. */
function aboutOf(text: string): Set<string> {
  return new Set(termsOf(text).filter((term) => !FIGURE.test(term)));
}
