/** Beginnings of words or phrases (folded), separated by `|` in each row. */
export type Phrases = readonly string[];

/** Phrases by their weight. */
export type Lexicon = Readonly<Record<string, Phrases>>;

/** Returns the sum of the weights of the phrases in a folded text; a phrase that is repeated counts half again. */
export function phraseScore(folded: string, lexicon: Lexicon): number {
  let score = 0;
  for (const [weight, rows] of Object.entries(lexicon)) {
    for (const phrase of rows.flatMap((row) => row.split("|"))) {
      score += Number(weight) * timesCounted(folded, phrase);
    }
  }
  return score;
}

/** Returns true when the folded text has any of the phrases. */
export function hasPhrase(folded: string, phrases: Phrases): boolean {
  return phrases.some((row) => row.split("|").some((phrase) => folded.includes(` ${phrase}`)));
}

function timesCounted(folded: string, phrase: string): number {
  const first = folded.indexOf(` ${phrase}`);
  if (first === -1) return 0;
  return folded.includes(` ${phrase}`, first + phrase.length) ? 1.5 : 1;
}
