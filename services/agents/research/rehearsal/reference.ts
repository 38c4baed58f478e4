import { scoreInjection } from "#shared/guard";
import type { StandIn } from "#shared/runtime";
import { CLAIMS_MAX } from "../limits.ts";
import { flatten, readSentences, shorten } from "../reading/sentences.ts";
import type { ReferenceInput } from "../reference/answer.ts";

const QUOTE_CHARACTERS = { min: 12, max: 380 } as const;
const ORDER_AT = 0.6;
/** Tells of the writer, and claims nothing of the world. */
const TELLS_OF_SELF = /^(?:we|i|our|my|it was a|come|dear|welcome|assistant|system)\b/i;

/** Takes sentences that state something for claims, those with figures first; every one word for word. */
export const analyseDocument: StandIn = ({ title, text }: ReferenceInput) => {
  const { min, max } = QUOTE_CHARACTERS;
  const sentences = [...new Set(readSentences(text))].filter(
    (sentence) => scoreInjection(sentence).score < ORDER_AT,
  );
  const stating = sentences.filter((sentence) => {
    const isStatement =
      !/[?!…:]["”’')\]]*$/.test(sentence) && sentence.length >= min && sentence.length <= max;
    return isStatement && (/\d/.test(sentence) || !TELLS_OF_SELF.test(sentence));
  });
  const withFigures = stating.filter((sentence) => /\d/.test(sentence));
  const others = stating.filter((sentence) => !/\d/.test(sentence));
  const claims = [...withFigures, ...others].slice(0, CLAIMS_MAX);
  return {
    summary: shorten(flatten(sentences.slice(0, 2).join(" ")) || title, 600),
    claims: claims.map((quote) => ({ claim: quote, quote })),
    questions: claims.length > 0 ? [] : [`What is known about ${shorten(title, 200)}?`],
  };
};
