import { termsOf } from "../reading/words.ts";

/** Where a part of a sentence begins that asks by itself. */
const PART =
  /(?:[,;:]\s*(?:and\s+|or\s+)?|\s+(?:and|n|&)\s+)(?=(?:\([a-z]\)\s*)?(?:what|who|when|where|which|why|how|will)\b)|\?\s*|(?:^|[,;:]?\s+(?:and\s+)?)\([a-z]\)\s+/i;

const ASKS = /\b(?:what|who|when|where|which|why|how|will|is|are|was|were|does|do|did)\b/i;

/** Parts of English sentences that ask for one thing each. What leads up to a question without a figure is no part. */
export function splitQuestions(sentences: readonly string[]): string[] {
  const parts = sentences.flatMap((sentence) => {
    const all = sentence.split(PART);
    const asking = all.filter((part) => ASKS.test(part) || /\d/.test(part));
    return asking.length > 0 && !/\([a-z]\)/.test(sentence) ? asking : all;
  });
  return parts
    .map((part) => part.trim().replace(/[,;:.?]+$/, ""))
    .filter((part) => termsOf(part).length > 0)
    .map((part) => `${part.slice(0, 1).toUpperCase()}${part.slice(1)}?`);
}
