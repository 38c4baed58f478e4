import { foldText } from "./fold-text.ts";
import { phraseScore } from "./phrase-score.ts";
import words from "./words.json" with { type: "json" };

/** A queue whose words are listed. */
export type Topic = keyof typeof words.routes;

/** Below this nothing in a text speaks clearly for any queue. */
export const SCORE_MIN = 1;

/** Queues in the order in which they are tried where two are as likely. */
export const ROUTES: readonly Topic[] = [
  "spam",
  "refunds",
  "operations",
  "technical",
  "feature-requests",
  "sales",
];

/** Counts phrases in full, and single words that lean towards a queue by half: many words outweigh one phrase. */
export function scoreOf(folded: string, route: Topic): number {
  return phraseScore(folded, words.routes[route]) + 0.5 * phraseScore(folded, words.leanings[route]);
}

/** Returns the queue that a sentence's words speak for most; null where they speak for none. */
export function topicOf(sentence: string): Topic | null {
  const folded = foldText(sentence);
  const scores = ROUTES.map((route) => ({ route, score: scoreOf(folded, route) }));
  const [best] = scores.toSorted((a, b) => b.score - a.score);
  return best === undefined || best.score < SCORE_MIN ? null : best.route;
}
