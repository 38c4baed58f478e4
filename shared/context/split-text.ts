/** A part of a text by offsets in UTF-16 units; `to` is exclusive. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** Ends of paragraphs, lines, sentences and words: where a text is cut, best first. */
const ENDS: readonly RegExp[] = [/\n[^\S\n]*\n\s*/g, /\n/g, /[.!?…][\p{Pe}\p{Pf}"']*\s+|[。！？]/gu, /\s+/g];

const CHARACTERS = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * Cuts a text into ranges that follow each other and leave nothing out, each of at most `charactersMax` UTF-16 units.
 * Cuts where a paragraph, line, sentence or word ends in the range's second half, else between two characters as
 * people see them; inside one only where it is longer than a range.
 *
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
  // One unit more, so that the segmenter sees what follows the last place.
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

/** Units of what may belong to one character after a place. */
const CHARACTER_UNITS = 32;
