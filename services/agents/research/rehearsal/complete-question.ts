import { foldText, termsOf } from "../reading/words.ts";

const ONE = /\b(?:it|its|he|she|his|her|hers|him)\b/;
const POINTS_BACK =
  /\b(?:it|its|they|their|them|those|he|she|his|her|hers|him|the (?:same|other|project|figure))\b|^(?:and|but|so|what about|how about)\b/;
/** "Is it true that", "will it rain". */
const STANDS_FOR_NOTHING = /\b(?:is|was|will|does|did) it (?=true|rain|snow|possible|right that)/i;
/** A question with fewer words of its own says too little by itself. */
const OWN_WORDS_MIN = 2;
/** Two things that were asked about in one go: `the drill and the sewing machine`, `route A and route B`. */
const TWO_THINGS =
  /\b(?:the |both )?(?:\p{L}+ )?\p{L}+ (?:and|or) (?:the )?(?!how|what|when|who|why|which)(?:\p{L}+ )?\p{L}+\b/iu;
const YEAR = /\b(?:1[89]|20)\d\d\b/;

/**
 * A question that can be understood by itself: with what was looked up before, where it points back to that. Null: it
 * points back to nothing, or to several things.
 */
export function completeQuestion(question: string, before: readonly string[]): string | null {
  const folded = foldText(question.replace(STANDS_FOR_NOTHING, " "));
  const isIncomplete = POINTS_BACK.test(folded) || termsOf(question).length < OWN_WORDS_MIN;
  const nouns = question.replace(/^\W*(?:and|but|so|what about|how about)\b/i, "");
  // "From end to end it takes": what it stands for is told in the same sentence.
  if (!isIncomplete || namesItself(nouns)) return question;
  const last = before.at(-1);
  if (last === undefined) return null;
  const [subject = last] = last.split(" (");
  if (ONE.test(folded) && TWO_THINGS.test(subject)) return null;
  const year = YEAR.exec(question)?.[0];
  if (year !== undefined && YEAR.test(last) && termsOf(question).length < OWN_WORDS_MIN)
    return last.replace(YEAR, year);
  return `${question} (${subjectOf(last)})`;
}

/** Whether a sentence names what its pronoun stands for before it: "Since line 4 has 24 stops, how long is it?" */
function namesItself(question: string): boolean {
  const [head = "", ...rest] = foldText(question).split(/\b(?:it|its|they|their|them|he|she|his|her)\b/);
  return rest.length > 0 && termsOf(head).length >= 2;
}

/** What an earlier question was about, in its own words. */
function subjectOf(asked: string): string {
  const words = asked.match(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu) ?? [];
  const telling = words.filter(
    (word) => termsOf(word).length > 0 && !/^(?:cost|open|close|build|weigh|long|stops?)/i.test(word),
  );
  return telling.slice(0, 6).join(" ");
}
