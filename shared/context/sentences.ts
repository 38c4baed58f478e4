/** End of a sentence or line; not the point of an abbreviation, a number or an initial. */
const END =
  /(?<=[.!?…。！？])(?<!\b(?:e\.g|i\.e|Dr|Mr|Mrs|Ms|Prof|No|Nr|approx|ca|vs|etc|St|\p{Lu})\.)\s+|\n+/u;

/** Splits a text into sentences, lines and list items, without empty ones. */
export function splitSentences(text: string): string[] {
  return text
    .split(END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}
