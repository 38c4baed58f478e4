import { QUOTE_CHARACTERS_MAX, readSentences } from "../sentences.ts";
import { compareClaim } from "./compare-claim.ts";

interface Readable {
  readonly source_id: string;
  readonly title: string;
  readonly text: string;
}

/** Something that a question takes for granted, and the words of a source that deny it. */
export interface Denied<P extends Readable> {
  readonly wrote: string;
  readonly says: string;
  readonly quote: string;
  readonly passage: P;
}

/**
 * Finds what denies a figure or a day that a question takes for granted. Null where no source does, or where one says
 * the same figure.
 */
export function findDenied<P extends Readable>(question: string, passages: readonly P[]): Denied<P> | null {
  const found = passages.flatMap((passage) =>
    readSentences(passage.text).flatMap((quote) => {
      if (quote.length > QUOTE_CHARACTERS_MAX) return [];
      const stance = compareClaim(question, { text: quote, title: passage.title });
      return stance?.by === "figures" ? [{ ...stance, quote, passage }] : [];
    }),
  );
  return found.some(({ stance }) => stance === "for") ? null : (found[0] ?? null);
}
