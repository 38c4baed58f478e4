import { summariseExtractively } from "#shared/context";
import type { StandIn } from "#shared/runtime";
import type { ChunkInput, MergeInput } from "../longread/answer.ts";

const SUMMARY_TOKENS = 180;
const SUMMARY_CHARACTERS_MAX = 1200;
const POINTS_MAX = 4;
const BEST_MAX = 12;
const QUOTE_CHARACTERS_MAX = 400;

/** Words of important sentences. */
const WEIGHTY =
  /\b(?:decided|resolved|must|shall|deadline|due|costs?|budget|increase\w*|agreed|approved|warning|recommend\w*|beschl\w+|muss|müssen|frist|kosten)\b/i;

/** Sums up a chunk, and quotes its sentences that score highest, in their order. */
export const summariseChunk: StandIn = ({ text, question }: ChunkInput) => {
  const sentences = text
    .replaceAll(/\s+/g, " ")
    .split(/(?<=[.!?])\s+(?=[\p{Lu}\d“"])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /\p{L}{3}/u.test(sentence) && sentence.length <= QUOTE_CHARACTERS_MAX);
  const best = new Set(rank(sentences, question).slice(0, POINTS_MAX));
  return {
    summary: summarise(text) || text.trim().slice(0, 300) || "An empty page.",
    key_points: sentences
      .filter((_, index) => best.has(index))
      .map((sentence) => ({ point: sentence, quote: sentence })),
  };
};

/** Sums up all summaries, and names the points that score highest. */
export const mergeParts: StandIn = ({ summaries, points, question }: MergeInput) => ({
  summary: summarise(summaries.join(" ")) || "Nothing is said.",
  best: rank(points, question).slice(0, BEST_MAX),
});

function summarise(text: string): string {
  return summariseExtractively(text, SUMMARY_TOKENS).slice(0, SUMMARY_CHARACTERS_MAX);
}

/** Indexes of the sentences that score, the highest first: by the question's words, weighty words and figures. */
function rank(sentences: readonly string[], question: string | null): number[] {
  const asked = new Set(wordsOf(question ?? ""));
  const scores = sentences.map((sentence) => {
    const answers = wordsOf(sentence).filter((word) => asked.has(word)).length;
    return 3 * answers + (WEIGHTY.test(sentence) ? 2 : 0) + (/\d/.test(sentence) ? 1 : 0);
  });
  return [...scores.keys()]
    .filter((index) => (scores[index] ?? 0) > 0)
    .toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
}

/** Words of four letters and more, in lower case. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
}
