/** Beginnings of words or phrases (folded), each with its weight; phrases of one weight are separated by `|`. */
export type Lexicon = readonly (readonly [weight: number, phrases: string])[];

/** What a lexicon finds in a folded text: the sum of the weights, a repeated phrase counting half, twice at most. */
export function phraseScore(folded: string, lexicon: Lexicon): number {
  let score = 0;
  for (const [weight, phrases] of lexicon) {
    for (const phrase of phrases.split("|")) score += weight * timesCounted(folded, phrase);
  }
  return score;
}

/** True when any phrase of the lexicon stands in the folded text. */
export function hasPhrase(folded: string, lexicon: Lexicon): boolean {
  return lexicon.some(([, phrases]) => phrases.split("|").some((phrase) => folded.includes(` ${phrase}`)));
}

function timesCounted(folded: string, phrase: string): number {
  const first = folded.indexOf(` ${phrase}`);
  if (first === -1) return 0;
  return folded.includes(` ${phrase}`, first + phrase.length) ? 1.5 : 1;
}
