import { findEntities, foldEntity } from "./entities/find-entities.ts";
import { splitSentences } from "./sentences.ts";
import type { SummaryLevels } from "./summaries.ts";

/** Words that mark a request, decision, prohibition or problem. */
const TELLING =
  /\b(?:need|want|wants|would like|prefer|must|cannot|can't|won't|refus\w{1,4}|agree\w{0,2}|decid\w{1,3}|confirm\w{0,3}|allerg\w{1,3}|diagnos\w{1,4}|symptom\w{0,1}|since|because|deadline|due|broken|damaged|defective|missing|wrong|instead|only|never|always|refund|replace\w{0,4}|cancel\w{0,4}|deliver\w{0,3}|paid|pay|order\w{0,3}|address|account|version|error|problem|issue|pain|takes?|smok\w{1,3}|years old|called|name is|lives?|works?)\b/i;
/** Sentences without content. */
const CHATTER =
  /^(?:\W*(?:hi|hello|hey|thanks?|thank you|many thanks|ok|okay|great|perfect|sure|of course|no problem|you're welcome|good (?:morning|afternoon|evening|day)|bye|take care|cheers|lovely|awesome|cool|nice)\b)|\b(?:how are you|nice weather|have a (?:nice|great|good|lovely)|sounds good|no worries|glad to|happy to help|my pleasure|let me think|one moment|just a (?:second|moment))\b/i;
const ENTITY_POINTS = 3;
const TELLING_POINTS = 2;
const CHATTER_POINTS = -3;
const LONG_CHARS = 400;
/** Estimated characters of a token, where no tokenizer is loaded. */
const CHARS_PER_TOKEN = 4;

interface Scored {
  readonly sentence: string;
  readonly index: number;
  readonly score: number;
}

/**
 * Extractive summary: the sentences with the most entities and requests, in order, without repetition. Needs no
 * model; invents nothing.
 * @param tokensMax - Budget, at four characters a token.
 */
export function summariseExtractively(text: string, tokensMax: number): string {
  const chosen = choose(scoreSentences(text), tokensMax * CHARS_PER_TOKEN);
  return chosen.map(({ sentence }) => sentence).join(" ");
}

/** The best sentence, and the best five. */
export function levelsExtractively(text: string): SummaryLevels {
  const scored = scoreSentences(text).toSorted((a, b) => b.score - a.score || a.index - b.index);
  const points = scored.slice(0, 5).toSorted((a, b) => a.index - b.index);
  return {
    executive_summary: (scored[0]?.sentence ?? "").slice(0, 1000),
    key_points: points.map(({ sentence }) => sentence.slice(0, 1000)),
  };
}

/** Scores what a sentence names for the first time; a repeated sentence scores 0. */
function scoreSentences(text: string): Scored[] {
  const said = new Set<string>();
  const named = new Set<string>();
  return splitSentences(text).flatMap((sentence, index) => {
    const form = foldEntity(sentence);
    if (form === "" || said.has(form)) return [];
    said.add(form);
    const fresh = findEntities(sentence)
      .map((entity) => foldEntity(entity.text))
      .filter((name) => !named.has(name));
    for (const name of fresh) named.add(name);
    const points =
      fresh.length * ENTITY_POINTS +
      (TELLING.test(sentence) ? TELLING_POINTS : 0) +
      (CHATTER.test(sentence) ? CHATTER_POINTS : 0) -
      (sentence.length > LONG_CHARS ? 1 : 0);
    return points <= 0 ? [] : [{ sentence, index, score: points }];
  });
}

/** Picks the best sentences that fit, by score for each character. */
function choose(scored: readonly Scored[], charsMax: number): Scored[] {
  const byWorth = scored.toSorted((a, b) => worth(b) - worth(a) || a.index - b.index);
  let left = charsMax;
  const kept = byWorth.filter(({ sentence }) => {
    const takes = sentence.length + 1;
    if (takes > left) return false;
    left -= takes;
    return true;
  });
  return kept.toSorted((a, b) => a.index - b.index);
}

/** Damps the length, so that a bare number does not outscore the sentence that explains it. */
function worth({ sentence, score }: Scored): number {
  return score / (sentence.length + 40);
}
