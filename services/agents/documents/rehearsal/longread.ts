import { summariseExtractively } from "#shared/context";
import type { StandIn } from "#shared/runtime";
import type { ChunkInput, MergeInput } from "../longread/answer.ts";
import { readSentences, wordsOf } from "./sentences.ts";

const SUMMARY_TOKENS = 180;
const POINTS_MAX = 4;
const BEST_MAX = 12;
const QUOTE_CHARACTERS_MAX = 400;

/** Words by which a sentence says that it matters. */
const WEIGHTY =
  /\b(?:decid\w+|resolv\w+|must|shall|obliged|risk|deadline|due|cost|budget|exceed\w*|fail\w*|increase\w*|decrease\w*|agreed|approved|rejected|warning|recommend\w*|beschl\w+|muss|müssen|frist|kosten|risiko|verpflicht\w+|empf\w+|genehmigt|abgelehnt)\b/i;
const FIGURE = /\d/;

/** The sentences that say the most, in their order: by figures, weighty words and the question's words. */
export const summariseChunk: StandIn = ({ text, question }: ChunkInput) => {
  const asked = new Set(wordsOf(question ?? ""));
  const sentences = readSentences(text).filter(({ length }) => length <= QUOTE_CHARACTERS_MAX);
  const best = sentences
    .map((sentence, index) => ({ sentence, index, score: scoreOf(sentence, asked) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, POINTS_MAX)
    .toSorted((a, b) => a.index - b.index);
  const summary = summariseExtractively(text, SUMMARY_TOKENS).slice(0, 1200);
  return {
    summary: summary === "" ? (sentences[0] ?? text.trim().slice(0, 300)) || "An empty page." : summary,
    key_points: best.map(({ sentence }) => ({ point: sentence, quote: sentence })),
  };
};

/** The sentences that say the most of all summaries, and the points that score highest. */
export const mergeParts: StandIn = ({ summaries, points, question }: MergeInput) => {
  const asked = new Set(wordsOf(question ?? ""));
  const merged = summariseExtractively(summaries.join(" "), SUMMARY_TOKENS).slice(0, 1200);
  const best = points
    .map((point, index) => ({ index, score: scoreOf(point, asked) }))
    .toSorted((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, BEST_MAX);
  return {
    summary: merged === "" ? (summaries[0] ?? "Nothing is said.").slice(0, 1200) : merged,
    best: best.map(({ index }) => index),
  };
};

const ASKED_POINTS = 3;
const WEIGHTY_POINTS = 2;

function scoreOf(sentence: string, asked: ReadonlySet<string>): number {
  const answers = wordsOf(sentence).filter((word) => asked.has(word)).length;
  return (
    answers * ASKED_POINTS + (WEIGHTY.test(sentence) ? WEIGHTY_POINTS : 0) + (FIGURE.test(sentence) ? 1 : 0)
  );
}
