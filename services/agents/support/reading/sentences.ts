const SENTENCES_MAX = 400;

/** A text cut into sentences: after `.`, `!`, `?` followed by a space, and at line ends. At most 400 of them. */
export function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[!?])\s+|(?<=[^\s.]{3}\.)\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "")
    .slice(0, SENTENCES_MAX);
}
