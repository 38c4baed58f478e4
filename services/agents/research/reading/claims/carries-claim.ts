import { readQuantities } from "../quantities/quantities.ts";
import { termsOf } from "../words.ts";

/** Words that hardly any English text is without, and no text of another language has. */
const ENGLISH = /\b(?:the|of|and|were|with|by)\b/i;

/**
 * Words of a claim that its evidence does not have; figures apart, which are compared by themselves. None where one of
 * both is not English: words of two languages cannot be compared.
 */
export function findUncarried(claim: string, evidence: string): string[] {
  if (!ENGLISH.test(claim) || !ENGLISH.test(evidence)) return [];
  const rest = readQuantities(claim).reduce(
    (left, { from, text }) => left.slice(0, from) + " ".repeat(text.length) + left.slice(from + text.length),
    claim,
  );
  const known = new Set(termsOf(evidence));
  return termsOf(rest).filter((term) => !WEIGHING.has(term) && !known.has(term));
}

const WEIGHING = new Set(termsOf("exactly around roughly nearly almost approximately under least"));
