import { splitSentences } from "../sentences.ts";
import { canonicalDuration } from "./durations.ts";
import { findEntities, foldEntity } from "./find-entities.ts";

/** A summary without ungrounded sentences. */
export interface Grounded {
  readonly text: string;
  /** Number of removed sentences. */
  readonly dropped: number;
}

/** Numbers that are no entity and still state a fact. */
const NUMBER = /(?<![\p{L}\p{N}])\d[\d.,'’]*(?![\p{L}\p{N}])/gu;

/**
 * Removes each sentence of a summary that names an amount, date, number or person missing from its source. Pure;
 * linear in both texts.
 */
export function groundSummary(summary: string, source: string): Grounded {
  const sentences = splitSentences(summary);
  const known = new Known(source);
  const kept = sentences.filter((sentence) => namesIn(sentence).every((name) => known.has(name)));
  return { text: kept.join(" "), dropped: sentences.length - kept.length };
}

/** Durations in words and the nouns behind counts are left out: a summary may say them otherwise. */
function namesIn(sentence: string): string[] {
  const entities = findEntities(sentence)
    .filter(({ kind, text }) => kind !== "figure" && (kind !== "quantity" || /\d/.test(text)))
    .map(({ text }) => text);
  return [...entities, ...(sentence.match(NUMBER) ?? [])];
}

/** Index of the entities that a source names. */
class Known {
  private readonly names: ReadonlySet<string>;
  private readonly folded: string;

  constructor(source: string) {
    this.folded = foldEntity(source);
    this.names = new Set(
      namesIn(source).flatMap((name) => [foldEntity(name), canonicalDuration(name) ?? ""]),
    );
  }

  /** Also finds a name inside a longer one, with other punctuation, or a duration in another language. */
  has(name: string): boolean {
    const folded = foldEntity(name);
    return folded === "" || this.names.has(folded) || this.folded.includes(folded) || this.hasDuration(name);
  }

  private hasDuration(name: string): boolean {
    const duration = canonicalDuration(name);
    return duration !== null && this.names.has(duration);
  }
}
