import type { Issue } from "#shared/errors";
import { checkQuotes } from "./check-quotes.ts";
import type { DocumentClaim, Stance } from "./contract-fields.ts";
import type { Passage } from "./outside/library.ts";
import { findNegation } from "./reading/claims/negation.ts";
import { compareWithoutNouns } from "./reading/quantities/compare-quantities.ts";
import { readQuantities } from "./reading/quantities/quantities.ts";
import { holdsWords } from "./reading/quote.ts";

/**
 * What is said for and against a claim, whoever says it: the source's quotation stands in its passage, the words that
 * decide stand in the claim and in the quotation, a contradiction is none of units or rounding, and a claim is
 * confirmed only with all its figures.
 */
export function checkStances(
  stances: readonly Stance[],
  { claim, passages }: { readonly claim: DocumentClaim; readonly passages: readonly Passage[] },
): Issue[] {
  const at = (index: number, field: string, code: string, message: string): Issue => ({
    path: `/stances/${index}/${field}`,
    code,
    message,
  });
  const confirming = stances.filter(({ stance }) => stance === "for").map(({ quote }) => quote);
  const unconfirmed = confirming.length === 0 ? [] : findUnconfirmed(claim.quote, confirming.join("\n"));
  return [
    ...checkQuotes(
      stances,
      (one) => passages.find(({ passage_id: id }) => id === one.passage_id)?.text,
      "/stances",
    ),
    ...stances.flatMap(({ stance, wrote, says, quote }, index) => [
      ...(holdsWords(claim.quote, wrote)
        ? []
        : [at(index, "wrote", "invented_words", "does not stand in the claim")]),
      ...(holdsWords(quote, says)
        ? []
        : [at(index, "says", "invented_words", "does not stand in the quotation")]),
      ...(stance === "against" && !canContradict(wrote, says)
        ? [at(index, "stance", "no_contradiction", "both figures say the same, or measure different things")]
        : []),
      ...(stance === "for" && unconfirmed.length > 0
        ? [at(index, "stance", "figure_not_confirmed", `no quotation has ${unconfirmed.join(", ")}`)]
        : []),
    ]),
  ];
}

/** Whether these words of two texts can contradict each other, as far as their figures show it. */
export function canContradict(wrote: string, says: string): boolean {
  const [ours, theirs] = [readQuantities(wrote), readQuantities(says)];
  const isDenied = (findNegation(wrote) === null) !== (findNegation(says) === null);
  if (ours.length === 0 || theirs.length === 0 || isDenied) return true;
  return ours.some((one) => {
    const compared = theirs.map((other) => compareWithoutNouns(one, other));
    return compared.includes("different") && !compared.includes("same");
  });
}

/** Figures and days of a claim that its evidence does not have, in whatever unit. */
function findUnconfirmed(claim: string, evidence: string): string[] {
  const theirs = readQuantities(evidence);
  return readQuantities(claim)
    .filter((one) => one.kind === "measure" || (one.kind === "date" && one.date.month !== null))
    .filter((one) => !theirs.some((other) => compareWithoutNouns(one, other) === "same"))
    .map(({ text }) => text);
}
