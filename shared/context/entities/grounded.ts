import { splitSentences } from "../sentences.ts";
import { findEntities, foldEntity } from "./find-entities.ts";

/** A summary with what its source bears out. */
export interface Grounded {
  readonly text: string;
  /** Sentences that were left out, because they name what the source does not. */
  readonly dropped: number;
}

/** Numbers that no pattern takes for an entity and that say something all the same. */
const NUMBER = /(?<![\p{L}\p{N}])\d[\d.,'’]*(?![\p{L}\p{N}])/gu;

/**
 * Leaves out of a summary each sentence that names an amount, a date, a number or a person which its source does not
 * name: who goes on with a conversation takes them for facts. Pure; linear in both texts.
 */
export function groundSummary(summary: string, source: string): Grounded {
  const sentences = splitSentences(summary);
  const known = new Known(source);
  const kept = sentences.filter((sentence) => namesIn(sentence).every((name) => known.has(name)));
  return { text: kept.join(" "), dropped: sentences.length - kept.length };
}

function namesIn(sentence: string): string[] {
  const entities = findEntities(sentence).map(({ text }) => text);
  return [...entities, ...(sentence.match(NUMBER) ?? [])];
}

/** Everything a source names, asked for without reading it again. */
class Known {
  private readonly names: ReadonlySet<string>;
  private readonly folded: string;

  constructor(source: string) {
    this.folded = foldEntity(source);
    this.names = new Set(namesIn(source).map(foldEntity));
  }

  /** A source may write a name inside a longer one, or with other marks between its letters. */
  has(name: string): boolean {
    const folded = foldEntity(name);
    return folded === "" || this.names.has(folded) || this.folded.includes(folded);
  }
}
