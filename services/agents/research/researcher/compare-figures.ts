import type { DocumentClaim, Stance } from "../contract-fields.ts";
import { STANCES_MAX } from "../limits.ts";
import type { Passage } from "../outside/library.ts";
import { compareClaim } from "../reading/claims/compare-claim.ts";
import type { ClaimStance } from "../reading/claims/compare-claim.ts";
import { findUncarried } from "../reading/claims/carries-claim.ts";
import { isAnothers } from "../reading/claims/is-anothers.ts";
import { decimalStyleOf } from "../reading/quantities/decimal-style.ts";
import { QUOTE_CHARACTERS_MAX, readSentences } from "../reading/sentences.ts";

/** So that contradictions do not crowd out that somebody confirms it. */
const CONFIRMING_MAX = 3;

/** Holds every sentence of the passages against a claim, by all that words show. */
export function compareSentences(
  { quote: claim }: DocumentClaim,
  passages: readonly Passage[],
): (Stance & Pick<ClaimStance, "by">)[] {
  const style = decimalStyleOf(claim);
  return passages.flatMap((passage) =>
    readSentences(passage.text).flatMap((quote) => {
      if (quote.length > QUOTE_CHARACTERS_MAX) return [];
      const found = compareClaim(claim, { text: quote, title: passage.title }, style);
      return found === null ? [] : [{ ...found, quote, passage_id: passage.passage_id }];
    }),
  );
}

/** The same by figures and days alone, which are compared whatever a model says. */
export function compareFigures(claim: DocumentClaim, passages: readonly Passage[]): Stance[] {
  return compareSentences(claim, passages)
    .filter(({ by }) => by === "figures")
    .map(({ by: _by, ...stance }) => stance);
}

/**
 * Joins what a model says with what figures show, contradictions first. Of one sentence that figures show to
 * contradict, nothing else is told.
 */
export function joinStances(said: readonly Stance[], counted: readonly Stance[]): Stance[] {
  const keyOf = ({ passage_id: id, quote }: Stance): string => `${id} ${quote}`;
  const joined = new Map([...said, ...counted].map((one) => [keyOf(one), one]));
  const all = [...joined.values()];
  const confirming = all.filter(({ stance }) => stance === "for").slice(0, CONFIRMING_MAX);
  const denying = all.filter(({ stance }) => stance === "against");
  return [...denying.slice(0, STANCES_MAX - confirming.length), ...confirming];
}

/**
 * Leaves out confirmations whose figure is said of something else, and those that, taken together, do not have every
 * word of the claim: it stays unverifiable. Where another source contradicts it they stay, because the sources
 * disagree.
 */
export function keepCarried(
  stances: readonly Stance[],
  { claim, passages }: { readonly claim: DocumentClaim; readonly passages: readonly Passage[] },
): Stance[] {
  const own = stances.filter(({ stance, quote }) => stance === "against" || !isAnothers(claim.quote, quote));
  if (own.some(({ stance }) => stance === "against")) return own;
  const evidence = own.map(({ quote, passage_id: id }) => {
    const title = passages.find((one) => one.passage_id === id)?.title ?? "";
    return `${title} ${quote}`;
  });
  return findUncarried(claim.quote, evidence.join(" ")).length === 0 ? own : [];
}
