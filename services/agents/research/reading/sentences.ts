/** Ends with a full stop that ends no sentence: a title, an abbreviation, an initial. */
const SHORT = /(?:\b(?:Mr|Mrs|Ms|Dr|St|Prof|vs|etc|e\.g|i\.e|approx|ca|No)|\b\p{Lu})\.$/u;
/** Blanks after a closing mark, before what may begin a sentence. */
const BETWEEN = /(?<=[.!?…]["”’')\]]?)\s+(?=["“‘'([]?[\p{Lu}\d])/u;

/** Characters of a sentence that is quoted. */
export const QUOTE_CHARACTERS_MAX = 380;

/** Sentences of a text as they stand there, blanks made one. Lines and paragraphs end sentences. */
export function readSentences(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map(flatten)
    .filter((paragraph) => paragraph !== "")
    .flatMap(cut);
}

function cut(paragraph: string): string[] {
  const sentences: string[] = [];
  let open = "";
  for (const piece of paragraph.split(BETWEEN)) {
    open = open === "" ? piece : `${open} ${piece}`;
    if (SHORT.test(open)) continue;
    sentences.push(open);
    open = "";
  }
  return open === "" ? sentences : [...sentences, open];
}

/** Blanks made one, so that words are found across line breaks. */
export function flatten(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** The beginning of a text, cut at a word where it is too long. */
export function shorten(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const cutOff = text.slice(0, charactersMax - 1);
  return `${cutOff.slice(0, Math.max(cutOff.lastIndexOf(" "), charactersMax / 2))}…`;
}
