import { compareQuantities } from "../quantities/compare-quantities.ts";
import { decimalStyleOf } from "../quantities/decimal-style.ts";
import type { DecimalStyle } from "../quantities/decimal-style.ts";
import { readQuantities } from "../quantities/quantities.ts";
import type { Quantity } from "../quantities/quantities.ts";
import { shareOf, termsOf } from "../words.ts";
import { readNames } from "./names.ts";
import { findNegation, readClauses } from "./negation.ts";

/** What one sentence says to a claim, with the words of both that decide it. */
export interface ClaimStance {
  readonly stance: "for" | "against";
  /** What decides it. Days are figures; a lone year mostly says what is spoken of. */
  readonly by: "figures" | "year" | "names" | "denial" | "words";
  /** Words of the claim. */
  readonly wrote: string;
  /** Words of the sentence. */
  readonly says: string;
}

export interface SentenceOfSource {
  readonly text: string;
  /** Title of the source, which often names what its sentences call "it". */
  readonly title: string;
}

/** Share of a claim's words that a sentence has, by itself and with its title, from which both are about the same. */
const OWN_MIN = 0.4;
const SHARE_MIN = 0.6;
/** The same where no figure is compared: words alone have to be nearly the same. */
const WORDS_SHARE_MIN = 0.75;
const SHARED_MIN = 2;
/** What is wished, planned or supposed says nothing of what is. */
const SUPPOSED =
  /\b(?:would|shall|should|might|promised|plans?|planned|expect(?:s|ed)?|hope[sd]?|aims?|targets?|propos(?:e[sd]?|al)|if)\b/i;
/** Words that weigh a figure, and are no part of what it is about. */
const WEIGHING = new Set([
  "exactly",
  "exact",
  "around",
  "roughly",
  "nearly",
  "approximat",
  "approximately",
  "some",
]);
const DENYING = new Set(["cannot", "none", "without", "never"]);

/**
 * Compares a claim with a sentence of a source by figures, dates, names and denials. Null: it is about something else,
 * or words alone do not show what it says to the claim. Conversions of units and rounding are no contradiction.
 */
export function compareClaim(
  claim: string,
  sentence: SentenceOfSource,
  style: DecimalStyle = decimalStyleOf(claim),
): ClaimStance | null {
  const ours = readQuantities(claim, style);
  const theirs = readQuantities(sentence.text);
  const wanted = aboutOf(claim, ours);
  const own = aboutOf(sentence.text, theirs);
  const [ownShare, share] = [shareOf(wanted, own), shareOf(wanted, own.union(aboutOf(sentence.title, [])))];
  const isAbout = ownShare >= OWN_MIN && share >= SHARE_MIN && share * wanted.size >= SHARED_MIN;
  if (!isAbout || (isSupposed(sentence.text) && !isSupposed(claim))) return null;
  const asserted = ours.filter((one) => isAsserted(one, ours));
  if (!isSameFrame(ours, asserted, [...theirs, ...readQuantities(sentence.title)])) return null;
  const byFigures = compareFigures(asserted, theirs);
  if (byFigures?.stance === "against")
    // "It did not cost 41 million" says nothing of what it cost.
    return findNegation(closest(sentence.text, wanted) ?? "") === null ? byFigures : null;
  if (asserted.length > 0 && byFigures === null) return null;
  if (asserted.length === 0 && share < WORDS_SHARE_MIN) return null;
  return (
    compareDenials(claim, sentence.text, wanted) ??
    compareNames(claim, sentence) ??
    byFigures ??
    (share === 1 ? agree(claim, sentence) : null)
  );
}

/** Returns whether a text says what is wished, planned or supposed. */
export function isSupposed(text: string): boolean {
  return SUPPOSED.test(text);
}

/** Words of a text without its figures, denials and what weighs them. */
export function aboutOf(text: string, quantities: readonly Quantity[]): Set<string> {
  // What is counted stays: it says what the figure is about.
  const rest = quantities.reduce(
    (left, { from, to }) => left.slice(0, from) + " ".repeat(to - from) + left.slice(to),
    text,
  );
  return new Set(termsOf(rest).filter((term) => !WEIGHING.has(term) && !DENYING.has(term)));
}

/** Numbered names never are what a claim asserts, and a lone year only where it has no other figure. */
export function isAsserted(one: Quantity, all: readonly Quantity[]): boolean {
  if (one.kind === "label") return false;
  const isLoneYear = one.kind === "date" && one.date.month === null;
  return (
    !isLoneYear ||
    !all.some((other) => other.kind === "measure" || (other.kind === "date" && other.date.month !== null))
  );
}

/** Whether both speak of the same line, and of the same year where both name one. */
export function isSameFrame(
  ours: readonly Quantity[],
  asserted: readonly Quantity[],
  theirs: readonly Quantity[],
): boolean {
  return ours
    .filter((one) => !asserted.includes(one))
    .every((one) => {
      const compared = theirs.map((other) => compareQuantities(one, other));
      return compared.includes("same") || !compared.includes("different");
    });
}

/** Null: a figure of the claim has nothing in the sentence that it could be compared with. */
function compareFigures(ours: readonly Quantity[], theirs: readonly Quantity[]): ClaimStance | null {
  const compared = ours.map((one) => {
    const same = theirs.find((other) => compareQuantities(one, other) === "same");
    const other = same ?? theirs.find((candidate) => compareQuantities(one, candidate) === "different");
    return { one, other, isSame: same !== undefined };
  });
  const wrong = compared.find(({ other, isSame }) => other !== undefined && !isSame);
  if (wrong?.other !== undefined)
    return { stance: "against", by: basisOf(wrong.one), wrote: wrong.one.text, says: wrong.other.text };
  const [first] = compared;
  if (first?.other === undefined || compared.some(({ isSame }) => !isSame)) return null;
  return { stance: "for", by: basisOf(first.one), wrote: first.one.text, says: first.other.text };
}

function basisOf(one: Quantity): "figures" | "year" {
  return one.kind === "date" && one.date.month === null ? "year" : "figures";
}

function compareDenials(claim: string, sentence: string, wanted: ReadonlySet<string>): ClaimStance | null {
  const clause = closest(sentence, wanted);
  if (clause === null) return null;
  const [ours, theirs] = [findNegation(claim), findNegation(clause)];
  if ((ours === null) === (theirs === null)) return null;
  return { stance: "against", by: "denial", wrote: claim, says: clause };
}

/** The clause that has most of these words; null where none has half of them. */
function closest(sentence: string, wanted: ReadonlySet<string>): string | null {
  const clauses = [sentence, ...readClauses(sentence)].map((clause) => ({
    clause,
    share: shareOf(wanted, new Set(termsOf(clause))),
  }));
  const best = clauses.reduce((one, other) =>
    other.share > one.share || (other.share >= one.share * 0.75 && other.clause.length < one.clause.length)
      ? other
      : one,
  );
  return best.share >= 0.5 ? best.clause : null;
}

/** A name of the claim that the sentence does not have, where it has another one in its place. */
function compareNames(claim: string, { text, title }: SentenceOfSource): ClaimStance | null {
  const folded = ` ${text} ${title} `.toLowerCase();
  const missing = readNames(claim).filter((name) => !folded.includes(name.toLowerCase()));
  const [wrote] = missing;
  if (wrote === undefined) return null;
  const ours = claim.toLowerCase();
  const others = readNames(text).filter((name) => !ours.includes(name.toLowerCase()));
  const [says] = others;
  return missing.length === 1 && others.length === 1 && says !== undefined
    ? { stance: "against", by: "names", wrote, says }
    : null;
}

function agree(claim: string, { text, title }: SentenceOfSource): ClaimStance | null {
  const folded = ` ${text} ${title} `.toLowerCase();
  const hasNames = readNames(claim).every((name) => folded.includes(name.toLowerCase()));
  return hasNames ? { stance: "for", by: "words", wrote: claim, says: text } : null;
}
