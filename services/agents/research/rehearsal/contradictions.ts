import { readDays, readQuantities, readYears } from "../reading/quantities.ts";
import type { Quantity } from "../reading/quantities.ts";
import { termsOf } from "../reading/words.ts";

/** Something that a source says. */
export interface Statement {
  readonly quote: string;
  readonly source_id: string;
}

/** Share of the words of the shorter statement that both have, from which they are about the same thing. */
const ALIKE = 0.6;
/** Words that both have at least. */
const ALIKE_WORDS = 2;
/** Roundings: 41.2 and 41 are the same. */
const ROUNDING = 0.01;
/** What is expected or calculated is not at odds with what is. */
const SUPPOSED =
  /\b(?:would|could|might|should|expect(?:s|ed)?|forecast|estimated?|planned|according to the model|by 20\d\d)\b/i;
const DENIED =
  /\b(?:not|never|no longer|nobody|hardly|doubts?|denied|denies|wrong(?:ly)?|could not be confirmed)\b/i;
const SAYS_NO_TOPIC =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|thousand|million|billion|percent|cent)$/;

/**
 * Pairs of statements of different sources that cannot both be right: about the same thing, in the same unit, with
 * another number or another day. Says nothing of contradictions in words alone.
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
  if (!areAlike(one, other) || SUPPOSED.test(one) !== SUPPOSED.test(other)) return false;
  const days = [readDays(one), readDays(other)] as const;
  if (areApart(...days)) return true;
  // What held in one year need not hold in another.
  if (areApart(readYears(one), readYears(other))) return false;
  const [ours, theirs] = [readQuantities(one), readQuantities(other)];
  // Who denies a number is at odds with who says it, and not with who says another.
  if (DENIED.test(one) !== DENIED.test(other)) return agree(ours, theirs);
  return disagree(ours, theirs);
}

function areApart(ours: readonly string[], theirs: readonly string[]): boolean {
  return ours.length > 0 && theirs.length > 0 && ours.every((one) => !theirs.includes(one));
}

function areAlike(one: string, other: string): boolean {
  const [left, right] = [aboutOf(one), aboutOf(other)];
  const shared = left.intersection(right).size;
  return shared >= ALIKE_WORDS && shared / Math.min(left.size, right.size) >= ALIKE;
}

/** What a statement is about: its words without its numbers and what these count. */
function aboutOf(text: string): Set<string> {
  const units = new Set(readQuantities(text).flatMap(({ unit }) => unit));
  return new Set(
    termsOf(text).filter((term) => !/\d/.test(term) && !units.has(term) && !SAYS_NO_TOPIC.test(term)),
  );
}

/** Whether some number of one is also one of the other, in its unit. */
function agree(ours: readonly Quantity[], theirs: readonly Quantity[]): boolean {
  return ours.some((one) =>
    theirs.some((other) => isComparable(one, other) && isSame(one.value, other.value)),
  );
}

/** Whether some number of one has in the other only numbers of its unit that differ. */
function disagree(ours: readonly Quantity[], theirs: readonly Quantity[]): boolean {
  return ours.some((one) => {
    const comparable = theirs.filter((other) => isComparable(one, other));
    return comparable.length > 0 && comparable.every((other) => !isSame(one.value, other.value));
  });
}

function isComparable(one: Quantity, other: Quantity): boolean {
  return one.per === other.per && one.unit.some((word) => other.unit.includes(word));
}

function isSame(one: number, other: number): boolean {
  return Math.abs(one - other) <= ROUNDING * Math.max(Math.abs(one), Math.abs(other));
}
