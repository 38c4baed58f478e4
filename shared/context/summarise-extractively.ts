import { findEntities, foldEntity } from "./entities/find-entities.ts";
import { splitSentences } from "./sentences.ts";
import type { SummaryLevels } from "./summaries.ts";

/** Words by which a sentence says what is wanted, decided, forbidden or wrong. */
const TELLING =
  /\b(?:need|want|wants|would like|prefer|must|cannot|can't|won't|refus\w{1,4}|agree\w{0,2}|decid\w{1,3}|confirm\w{0,3}|allerg\w{1,3}|diagnos\w{1,4}|symptom\w{0,1}|since|because|deadline|due|broken|damaged|defective|missing|wrong|instead|only|never|always|refund|replace\w{0,4}|cancel\w{0,4}|deliver\w{0,3}|paid|pay|order\w{0,3}|address|account|version|error|problem|issue|pain|takes?|smok\w{1,3}|years old|called|name is|lives?|works?)\b/i;
/** Sentences that carry nothing on. */
const CHATTER =
  /^(?:\W*(?:hi|hello|hey|thanks?|thank you|many thanks|ok|okay|great|perfect|sure|of course|no problem|you're welcome|good (?:morning|afternoon|evening|day)|bye|take care|cheers|lovely|awesome|cool|nice)\b)|\b(?:how are you|nice weather|have a (?:nice|great|good|lovely)|sounds good|no worries|glad to|happy to help|my pleasure|let me think|one moment|just a (?:second|moment))\b/i;
const ENTITY_POINTS = 3;
const TELLING_POINTS = 2;
const CHATTER_POINTS = -3;
const LONG_CHARS = 400;
/** What a sentence takes of a budget, for who has no tokenizer at hand: four characters a token, and its end. */
const CHARS_PER_TOKEN = 4;

interface Scored {
  readonly sentence: string;
  readonly index: number;
  readonly score: number;
}

/**
 * A summary made of a text's own sentences: those that name the most and that say what is wanted, in their order,
 * without repetition. It invents nothing, and knows nothing of what it reads: the stand-in for a model, and the way
 * out where none may be asked.
 *
 * @param tokensMax - What it may take, at four characters a token.
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

/** A sentence counts what it names for the first time; one that was said before counts nothing. */
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

/** As many of the best as there is room for: by what they name for each character they take. */
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

/** The length is damped, or a bare number would beat the sentence that says what it is of. */
function worth({ sentence, score }: Scored): number {
  return score / (sentence.length + 40);
}
