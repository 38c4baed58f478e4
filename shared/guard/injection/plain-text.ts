/** Texts of more characters are looked at in this much of their beginning and of their end. */
const CHARS_MAX = 262_144;

/** Marks that show nothing: used inside words to hide them from a reader of patterns. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Of these, the ones that honest text in any script has no use for. */
const HIDING = /[\u202A-\u202E\u2066-\u2069\u{E0020}-\u{E007F}]/gu;
const INSIDE_WORD = /(?<=[A-Za-z])[\u00AD\u200B\u2060\uFEFF](?=[A-Za-z])/g;

/** Letters of other scripts that look like Latin ones. */
const LOOKALIKES = new Map(
  Object.entries({
    а: "a",
    в: "b",
    с: "c",
    ԁ: "d",
    е: "e",
    ѕ: "s",
    һ: "h",
    і: "i",
    ј: "j",
    к: "k",
    м: "m",
    н: "h",
    о: "o",
    р: "p",
    т: "t",
    у: "y",
    х: "x",
    ѵ: "v",
    α: "a",
    ε: "e",
    ι: "i",
    κ: "k",
    ν: "v",
    ο: "o",
    ρ: "p",
    τ: "t",
    υ: "u",
    χ: "x",
    ı: "i",
    ɡ: "g",
    ⅼ: "l",
  }),
);
const MIXED_WORD = /[\p{L}]{2,64}/gu;

/** A text as a reader of patterns wants it, and what had to be taken away for that. */
export interface PlainText {
  readonly text: string;
  /** Characters that hide or turn text around. */
  readonly hidden: number;
  /** Words of Latin letters with lookalikes among them. */
  readonly disguised: number;
}

/**
 * Folds a text: one form for each character, no invisible marks, lookalikes as the letters they imitate, one kind of
 * space, `i g n o r e` as a word, lower case. Lines stay lines. Linear.
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

/** Only words with Latin letters: a Russian word is Russian. */
function unmask(word: string): string {
  if (!/[a-z]/.test(word) || /^[a-z]+$/.test(word)) return word;
  return word.replaceAll(/\p{L}/gu, (character) => LOOKALIKES.get(character) ?? character);
}

/** `i.g.n.o.r.e` and `i g n o r e`: at least four letters, each alone, the same mark between them. */
function joinSpacedLetters(text: string): string {
  return text.replaceAll(/(?<!\p{L})\p{L}([ .*_-])\p{L}(?:\1\p{L}(?!\p{L})){2,}(?!\p{L})/gu, (spaced) =>
    spaced.replaceAll(/[ .*_-]/g, ""),
  );
}
