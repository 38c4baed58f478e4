import { readSentences } from "../reading/sentences.ts";
import { shareOf, termsOf } from "../reading/words.ts";

/** A paragraph of a source, as far as it is read. */
export interface Readable {
  readonly source_id: string;
  readonly title: string;
  readonly text: string;
}

/** A sentence that says something to a question, with the passage it stands in. */
export interface Evidence<P extends Readable> {
  readonly quote: string;
  readonly passage: P;
  readonly score: number;
}

/** Share of a question's words that a sentence and its title have at least, and the sentence by itself. */
const COVER_MIN = 0.6;
const OWN_MIN = 0.3;
/** What a word of the title counts, beside one of the sentence. */
const TITLE_WEIGHT = 0.2;
const QUOTE_CHARACTERS_MAX = 380;
/** A sentence of fewer words says nothing by itself. */
const OWN_TERMS_MIN = 3;
const ASKS_FIGURE =
  /\bhow (?:many|much|high|long|large|old|far|heavy)\b|\bcosts?\b|\bwhen\b|\bnumber\b|\bprice\b/i;

/** Picks sentences that share words with a question, the best first; at most `perSource` of one source. */
export function pickEvidence<P extends Readable>(
  question: string,
  { passages, perSource }: { readonly passages: readonly P[]; readonly perSource: number },
): Evidence<P>[] {
  const wanted = new Set(termsOf(question));
  const ranked = passages
    .flatMap((passage) => readSentences(passage.text).map((quote) => ({ quote, passage })))
    .filter(({ quote }) => quote.length <= QUOTE_CHARACTERS_MAX && !quote.endsWith("?"))
    .filter(({ quote }) => isOpenQuestion(question) || /\d/.test(quote))
    .flatMap(({ quote, passage }) => {
      const [own, title] = [new Set(termsOf(quote)), new Set(termsOf(passage.title))];
      const cover = shareOf(wanted, own);
      const isEnough = cover >= OWN_MIN && shareOf(wanted, own.union(title)) >= COVER_MIN;
      // Among sentences that say as much, the one that says less else.
      const score = cover + TITLE_WEIGHT * shareOf(wanted, title) + 1 / (1 + own.size);
      return isEnough && own.size >= OWN_TERMS_MIN ? [{ quote, passage, score }] : [];
    })
    .toSorted((a, b) => b.score - a.score);
  const taken = new Map<string, number>();
  return ranked.filter(({ passage }) => {
    const count = (taken.get(passage.source_id) ?? 0) + 1;
    taken.set(passage.source_id, count);
    return count <= perSource;
  });
}

/** Returns whether a question asks for more than a figure. */
export function isOpenQuestion(question: string): boolean {
  return !ASKS_FIGURE.test(question);
}
