import { termsOf } from "../reading/words.ts";
import type { Passage } from "./library.ts";

/** How soon a word's repeats stop to count, and how much long passages are held back: BM25's usual values. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

interface Indexed {
  readonly passage: Passage;
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

/** Ranks passages by the words they share with a question (BM25), title included. Built once, asked often. */
export class PassageIndex {
  private readonly indexed: readonly Indexed[];
  private readonly frequency = new Map<string, number>();
  private readonly lengthMean: number;

  constructor(passages: readonly Passage[]) {
    this.indexed = passages.map((passage) => {
      const terms = termsOf(`${passage.title} ${passage.text}`);
      const counts = new Map<string, number>();
      for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
      for (const term of counts.keys()) this.frequency.set(term, (this.frequency.get(term) ?? 0) + 1);
      return { passage, counts, length: terms.length };
    });
    const total = this.indexed.reduce((sum, { length }) => sum + length, 0);
    this.lengthMean = total / Math.max(1, this.indexed.length);
  }

  /** Passages that have at least one of the words, the best first. */
  rank(text: string): Passage[] {
    const terms = [...new Set(termsOf(text))];
    return this.indexed
      .map((one) => ({ passage: one.passage, score: this.score(one, terms) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score || (a.passage.passage_id < b.passage.passage_id ? -1 : 1))
      .map(({ passage }) => passage);
  }

  private score({ counts, length }: Indexed, terms: readonly string[]): number {
    const damping = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / this.lengthMean);
    return terms.reduce((sum, term) => {
      const count = counts.get(term) ?? 0;
      const known = this.frequency.get(term) ?? 0;
      const rarity = Math.log(1 + (this.indexed.length - known + 0.5) / (known + 0.5));
      return sum + (rarity * count * (SATURATION + 1)) / (count + damping);
    }, 0);
  }
}
