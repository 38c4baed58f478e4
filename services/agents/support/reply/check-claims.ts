import type { ReplyOutcome } from "../contracts.ts";
import { listMoney } from "../reading/find-money.ts";
import { foldText } from "../reading/fold-text.ts";
import claims from "./claims.json" with { type: "json" };

/** What an answer may not say unless it was done. */
export type Claim = "refund" | "replacement" | "cancellation" | "compensation";

const PATTERNS = Object.entries(claims.patterns).map(([claim, sources]) => ({
  // The file's keys are the four claims, which a test checks.
  claim: claim as Claim,
  patterns: sources.map((source) => new RegExp(` (?:${source})`, "gu")),
}));
const JAPANESE = /返金(?:いた|し|され|済|完了|を承認)/u;
const NEGATION = new RegExp(` (?:${claims.negations.join("|")}) (?:[^ ]+ ){0,4}$`, "u");
const NEGATED_WITHIN = new RegExp(` (?:${claims.negations.join("|")}) `, "u");

/** Outcomes of which a recorded effect says that the money went back. */
const REFUNDED: readonly ReplyOutcome[] = ["refund_paid", "already_refunded"];

/** What was really done for the customer. */
export interface Done {
  readonly outcomes: readonly ReplyOutcome[];
  /** Facts and steps, which an answer may repeat. */
  readonly told: readonly string[];
}

/**
 * Returns what an answer says without a recorded effect behind it, in words for an operator: sums that no fact holds,
 * and refunds, replacements, cancellations or compensations that were not made. Empty for an honest answer. It reads
 * the eight languages that the team writes, and Japanese for refunds. It finds phrases and does not understand prose.
 */
export function listUnfounded(text: string, { outcomes, told }: Done): string[] {
  const isRefunded = outcomes.some((outcome) => REFUNDED.includes(outcome));
  const known = told.join("\n");
  const unknownSums = listMoney(text).filter(
    ({ value, currency }) =>
      !listMoney(known).some((sum) => sum.value === value && sum.currency === currency),
  );
  const bare = [...text.matchAll(/(?<![\d.,])\d{1,7}[.,]\d{2}(?![\d.,]*\d)/g)].map(([number]) => number);
  const unknownNumbers = bare.filter((number) => !known.includes(number) && !known.includes(dotted(number)));
  return [
    ...(unknownSums.length > 0 || unknownNumbers.length > 0 ? ["a sum that was not paid"] : []),
    ...claimsOf(text)
      .filter((claim) => claim !== "refund" || !isRefunded)
      .map((claim) => `a ${claim} that was not made`),
  ];
}

function claimsOf(text: string): Claim[] {
  const clauses = text.split(/[.,;:!?\n–—()]+/);
  const found = PATTERNS.filter(({ patterns }) =>
    clauses.some((clause) => patterns.some((pattern) => isClaimed(foldText(clause), pattern))),
  ).map(({ claim }) => claim);
  return JAPANESE.test(text) && !found.includes("refund") ? [...found, "refund"] : found;
}

function isClaimed(folded: string, pattern: RegExp): boolean {
  return [...folded.matchAll(pattern)].some(
    (match) => !NEGATION.test(folded.slice(0, match.index + 1)) && !NEGATED_WITHIN.test(match[0]),
  );
}

function dotted(number: string): string {
  return number.replace(",", ".");
}
