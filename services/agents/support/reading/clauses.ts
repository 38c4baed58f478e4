import { asksInWords } from "./asks.ts";
import { sentencesOf } from "./sentences.ts";
import { joinMarkers, opensMatter } from "./split-requests.ts";
import { topicOf } from "./topics.ts";

/** Matches where another clause may begin: after a comma, a semicolon, a dash, or a word for "and". */
const CUT = /(?<=[,;、，]|\s[–-])\s*|\s+(?=(?:and|und|et|y|e|i|oraz|en)\s)/iu;
const WORDS_MIN = 4;

/**
 * Returns a text's pieces that can each ask for one thing: its sentences, and a sentence's clauses where more than one
 * of them asks, and another clause begins with a word such as "also" or is another queue's matter. Together they
 * are the whole text.
 */
export function clausesOf(text: string): string[] {
  return joinMarkers(sentencesOf(text)).flatMap((sentence) => {
    const pieces: string[] = [];
    for (const clause of sentence.split(CUT)) {
      const before = pieces.at(-1);
      const isNew = before === undefined || (isAsking(before) && isAsking(clause) && isOther(before, clause));
      if (isNew) pieces.push(clause);
      else pieces[pieces.length - 1] = `${before} ${clause}`;
    }
    return pieces;
  });
}

function isOther(before: string, clause: string): boolean {
  const topic = topicOf(clause);
  return opensMatter(clause) || (topic !== null && topic !== topicOf(before));
}

function isAsking(clause: string): boolean {
  return countWords(clause) >= WORDS_MIN && asksInWords(clause);
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** Returns the number of words, in scripts without spaces too. */
export function countWords(text: string): number {
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).length;
}
