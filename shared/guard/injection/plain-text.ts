/** Of longer texts only the beginning and the end, together this many characters, are examined. */
const CHARS_MAX = 262_144;

/** Invisible characters, which hide words from patterns. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Invisible characters without an honest use in any script. */
const HIDING = /[\u202A-\u202E\u2066-\u2069\u{E0020}-\u{E007F}]/gu;
const INSIDE_WORD = /(?<=[A-Za-z])[\u00AD\u200B\u2060\uFEFF](?=[A-Za-z])/g;

/** Letters of other scripts, and the Latin ones that they look like. */
const [FOREIGN, LATIN] = ["авсԁеѕһіјкмнортухѵαεικνορτυχıɡⅼ", "abcdeshijkmhoptyxvaeikvoptuxigl"];
const MIXED_WORD = /[\p{L}]{2,64}/gu;

/** A normalised text with counts of what was normalised. */
export interface PlainText {
  readonly text: string;
  /** Number of characters that hide or reverse text. */
  readonly hidden: number;
  /** Number of Latin words with lookalike letters. */
  readonly disguised: number;
}

/**
 * Normalises a text for pattern matching: Unicode form, invisible characters, lookalikes, spaces, `i g n o r e` as a
 * word, lower case. Keeps lines. Linear.
 */
export function toPlainText(original: string): PlainText {
  const bounded =
    original.length <= CHARS_MAX
      ? original
      : `${original.slice(0, CHARS_MAX / 2)}\n${original.slice(-CHARS_MAX / 2)}`;
  const hidden = count(bounded, HIDING) + count(bounded, INSIDE_WORD);
  let disguised = 0;
  const text = bounded
    .replaceAll(INVISIBLE, "")
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(MIXED_WORD, (word) => {
      const unmasked = unmask(word);
      if (unmasked !== word) disguised += 1;
      return unmasked;
    })
    .replaceAll(/[^\S\n]+/g, " ");
  return { text: joinSpacedLetters(text), hidden, disguised };
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Only words with Latin letters: Cyrillic words stay Cyrillic. */
function unmask(word: string): string {
  if (!/[a-z]/.test(word) || /^[a-z]+$/.test(word)) return word;
  return word.replaceAll(/\p{L}/gu, (character) => LATIN[FOREIGN.indexOf(character)] ?? character);
}

/** Joins `i.g.n.o.r.e` and `i g n o r e`: at least four single letters with the same separator. */
function joinSpacedLetters(text: string): string {
  return text.replaceAll(/(?<!\p{L})\p{L}([ .*_-])\p{L}(?:\1\p{L}(?!\p{L})){2,}(?!\p{L})/gu, (spaced) =>
    spaced.replaceAll(/[ .*_-]/g, ""),
  );
}
