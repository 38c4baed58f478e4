/** Paragraphs of a text, apart by empty lines; a line of its own where there are none. */
export function readParagraphs(text: string): string[] {
  const parts = text.split(/\n\s*\n/).map((part) => part.trim());
  return parts.filter((part) => part !== "");
}

/** Ends with a full stop that ends no sentence: a title, an abbreviation, an initial that is no unit. */
const SHORT = /(?:\b(?:Mr|Mrs|Ms|Dr|St|Prof|vs|etc|e\.g|i\.e|approx|max|min|No)|(?<!\d\s?)\b[A-Z])\.$/;
/** Blanks after a closing mark, before what may begin a sentence. */
const BETWEEN = /(?<=[.!?…]["”’')\]]?)\s+(?=["“‘'([]?[\p{Lu}\d])/u;

/** Sentences of a paragraph, with their closing marks and quotation marks. */
export function readSentences(paragraph: string): string[] {
  const sentences: string[] = [];
  let open = "";
  for (const piece of flatten(paragraph).split(BETWEEN)) {
    open = open === "" ? piece : `${open} ${piece}`;
    if (SHORT.test(open)) continue;
    sentences.push(open);
    open = "";
  }
  return open === "" ? sentences : [...sentences, open];
}

export function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)*/gu)?.length ?? 0;
}

/** Speech, without its quotation marks. */
export function readSpeech(text: string): string[] {
  return [...text.matchAll(/[“"]([^”"\n]{1,2000})[”"]/g)].map(([, said = ""]) => said);
}

/** Blanks made one, so that a quotation is found across line breaks. */
export function flatten(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
