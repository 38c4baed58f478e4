import { QUOTE_CHARACTERS_MIN } from "../quote.ts";

const VERB =
  /(?<!\p{L})(?:is|are|was|were|has|have|had|do|does|did|can|could|will|costs?|takes?|took|\p{L}{3,}(?:s|ed)(?=\s+(?:\d|about|around|under|over|less|more|nearly|up to|at least)))(?!\p{L})/iu;
/** Matches between two clauses: a semicolon, a comma, a conjunction, or a comma and a conjunction. */
const BETWEEN = /;\s+|,\s+(?:(?:and|but|while|whereas)\s+)?|\s+(?:and|but|while|whereas)\s+/giu;
/** Says how many of what was counted before, mostly without a verb. */
const SHARE = /^(?:most|some|none|all|half|many|few|both|\d+) of (?:them|these|those|which|whom)\b/i;
/** Depends on another clause, or on who says so: taken apart, it would say something else. */
const DEPENDS =
  /(?<!\p{L})(?:if|when|unless|that|which|who|whose|whether|nor|neither|den(?:y|ies|ied)|doubts?|false)(?!\p{L})/iu;

/**
 * Splits a sentence into clauses that state something by themselves, each with its words as they stand there. The
 * sentence is left whole where a clause depends on another one.
 */
export function splitClaim(sentence: string): string[] {
  if (DEPENDS.test(sentence.replaceAll(/\bof (?:which|whom)\b/gi, ""))) return [sentence];
  const starts = [0];
  const ends: number[] = [];
  for (const { 0: mark, index } of sentence.matchAll(BETWEEN)) {
    const from = index + mark.length;
    const [left, right] = [sentence.slice(starts.at(-1), index), sentence.slice(from)];
    const next = right.split(/[,;]|\s(?:and|but|while|whereas)\s/)[0] ?? right;
    if (!VERB.test(left) || !(SHARE.test(next) || states(next, mark))) continue;
    if (Math.min(left.length, next.length) < QUOTE_CHARACTERS_MIN) continue;
    ends.push(index);
    starts.push(from);
  }
  if (ends.length === 0) return [sentence];
  return starts.map((from, index) => sentence.slice(from, ends[index]).replace(/[.;]+$/, ""));
}

/**
 * Returns true for words that state something. Behind a comma alone, and in "averaged over", a verb in front is a
 * participle.
 */
function states(words: string, mark: string): boolean {
  const verb = VERB.exec(words);
  return verb !== null && (verb.index > 0 || (/\p{L}/u.test(mark) && !/ed$/i.test(verb[0])));
}

/** A clause with the subject of the one before it, where it has none of its own. */
export function withSubject(clause: string, before: string | undefined): string {
  const verb = before === undefined ? null : VERB.exec(before);
  const subject = before?.slice(0, verb?.index ?? 0).trim() ?? "";
  const isBare = VERB.exec(clause)?.index === 0 || /^(?:it|they|he|she)\b/i.test(clause);
  return isBare && subject !== "" && !/\d/.test(subject) ? `${subject} ${clause}` : clause;
}
