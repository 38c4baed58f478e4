import { scoreInjection } from "#shared/guard";
import type { StandIn } from "#shared/runtime";
import { QUESTIONS_MAX } from "../limits.ts";
import { flatten, readSentences, shorten } from "../reading/sentences.ts";
import type { ReferenceInput } from "../reference/answer.ts";

const CLAIMS_MAX = 5;
const QUOTE_CHARACTERS = { min: 20, max: 300 } as const;
const ORDER_AT = 0.6;

/** Takes the first sentences with figures for claims, and asks for each without its figures. */
export const analyseDocument: StandIn = ({ title, text }: ReferenceInput) => {
  const { min, max } = QUOTE_CHARACTERS;
  const sentences = readSentences(text).filter((sentence) => scoreInjection(sentence).score < ORDER_AT);
  const claims = sentences
    .filter((sentence) => /\d/.test(sentence) && sentence.length >= min && sentence.length <= max)
    .slice(0, CLAIMS_MAX);
  const questions = claims.map(toQuestion).slice(0, QUESTIONS_MAX);
  return {
    summary: shorten(flatten(sentences.slice(0, 2).join(" ")) || title, 600),
    claims: claims.map((quote) => ({ claim: quote, quote })),
    questions: questions.length > 0 ? questions : [`What is known about ${shorten(title, 200)}?`],
  };
};

function toQuestion(claim: string): string {
  const rest = claim.replaceAll(/\d[\d.,]*/g, " ").replaceAll(/[.!?"“”]+/g, " ");
  return shorten(`How much or how many: ${flatten(rest)}?`, 400);
}
