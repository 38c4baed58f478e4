/** A range of UTF-16 units; `to` is exclusive. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** Ends of paragraphs, lines, sentences and words: places to split, best first. */
const ENDS: readonly RegExp[] = [/\n[^\S\n]*\n\s*/g, /\n/g, /[.!?…][\p{Pe}\p{Pf}"']*\s+|[。！？]/gu, /\s+/g];

const CHARACTERS = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * Splits a text into adjacent ranges of at most `charactersMax` UTF-16 units. Splits at the end of a paragraph, line,
 * sentence or word in the range's second half, else between grapheme clusters; inside one only where it exceeds a
 * range.
 * @param charactersMax - At least 2.
 */
export function splitText(text: string, charactersMax: number): TextRange[] {
  const ranges: TextRange[] = [];
  for (let from = 0; from < text.length; from = ranges.at(-1)?.to ?? text.length)
    ranges.push({ from, to: endOfRange(text, from, charactersMax) });
  return ranges;
}

function endOfRange(text: string, from: number, charactersMax: number): number {
  const last = from + charactersMax;
  if (last >= text.length) return text.length;
  const half = from + Math.ceil(charactersMax / 2);
  // One unit more, so that the segmenter sees what follows.
  const characters = CHARACTERS.segment(text.slice(from, last + CHARACTER_UNITS));
  const isEnd = (at: number): boolean => characters.containing(at - from)?.index === at - from;
  for (const end of ENDS) {
    const ends = [...text.slice(half, last).matchAll(end)].map(
      (found) => half + found.index + found[0].length,
    );
    const best = ends.findLast(isEnd);
    if (best !== undefined) return best;
  }
  const start = from + (characters.containing(charactersMax)?.index ?? charactersMax);
  if (start > from) return start;
  const isInPair =
    /^[\uDC00-\uDFFF]/.test(text.slice(last)) && /[\uD800-\uDBFF]$/.test(text.slice(from, last));
  return isInPair ? last - 1 : last;
}

/** Maximum units of one grapheme cluster that are read ahead. */
const CHARACTER_UNITS = 32;
