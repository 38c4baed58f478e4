const WORD_LETTERS_LEAST = 4;

/** Sentences of a page, each as it stands there but for line breaks. */
export function readSentences(text: string): string[] {
  return text
    .replaceAll(/\s+/g, " ")
    .split(/(?<=[.!?])\s+(?=[\p{Lu}\d“"])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /\p{L}{3}/u.test(sentence));
}

/** Words of four letters and more, in lower case. */
export function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/\p{L}+/gu) ?? []).filter(({ length }) => length >= WORD_LETTERS_LEAST);
}
