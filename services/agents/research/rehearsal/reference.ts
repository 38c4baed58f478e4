import { scoreInjection } from "#shared/guard";
import type { StandIn } from "#shared/runtime";
import { QUESTIONS_MAX } from "../limits.ts";
import { readDays, readQuantities } from "../reading/quantities.ts";
import { readWish } from "./read-wish.ts";
import { flatten, readSentences, shorten } from "../reading/sentences.ts";
import { shareOf, termsOf } from "../reading/words.ts";
import type { ReferenceInput } from "../reference/answer.ts";

const CLAIMS_MAX = 5;
const QUOTE_CHARACTERS = { min: 20, max: 300 } as const;
const ORDER_AT = 0.6;

/** Takes for claims the sentences with figures in them, those first that are about what the user wants to know. */
export const analyseDocument: StandIn = ({ title, text, wish }: ReferenceInput) => {
  const sentences = readSentences(text).filter((sentence) => scoreInjection(sentence).score < ORDER_AT);
  const wanted = new Set(termsOf(`${title} ${wish}`));
  const claims = sentences
    .filter((sentence) => isClaim(sentence))
    .map((quote) => ({ quote, weight: shareOf(wanted, new Set(termsOf(quote))) }))
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, CLAIMS_MAX);
  // "Does this hold?" asks for nothing but the claims.
  const asked = readWish(wish).questions.filter((question) => termsOf(question).length > 1);
  const own = claims.map(({ quote }) => toQuestion(quote));
  const summary = shorten(flatten(sentences.slice(0, 2).join(" ")) || title, 600);
  const questions = [...new Set([...asked, ...own])].slice(0, QUESTIONS_MAX);
  return {
    summary,
    claims: claims.map(({ quote }) => ({ claim: quote, quote })),
    questions: questions.length > 0 ? questions : [`What is known about ${shorten(title, 200)}?`],
  };
};

function isClaim(sentence: string): boolean {
  if (sentence.length < QUOTE_CHARACTERS.min || sentence.length > QUOTE_CHARACTERS.max) return false;
  return !sentence.endsWith("?") && readQuantities(sentence).length + readDays(sentence).length > 0;
}

/** Asks whether a claim holds, in its words and without its figures. */
function toQuestion(claim: string): string {
  const words = termsOf(claim).filter((term) => !/\d/.test(term));
  const kept = flatten(claim)
    .replaceAll(/\d[\d.,]*/g, " ")
    .replaceAll(/[.!?"“”]+/g, " ");
  const asks = readQuantities(claim).length > 0 ? "How much or how many" : "When";
  return words.length === 0 ? flatten(claim) : shorten(`${asks}: ${flatten(kept)}?`, 400);
}
