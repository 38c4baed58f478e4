import { asksForSomething } from "./asks.ts";
import { sentencesOf } from "./sentences.ts";

/** Beginnings of sentences that open another matter, in the team's languages. */
const CONNECTOR =
  /^(?:(?:and|oh|und|et|y|e|i|en|ach)[\s,]+){0,2}(?:also|furthermore|moreover|in addition|additionally|besides|second(?:ly)?|another thing|once more|one more thing|separately|by the way|btw|p\.?\s?s\.?|and about|au(?:ß|ss)erdem|zudem|ferner|dar(?:ü|ue)ber hinaus|zweitens|des weiteren|(?:ü|ue)brigens|noch etwas|de plus|par ailleurs|en outre|ensuite|deuxi(?:è|e)mement|autre chose|adem(?:á|a)s|tambi(?:é|e)n|por otra parte|por otro lado|en segundo lugar|inoltre|in pi(?:ù|u)|ponadto|poza tym|dodatkowo|po drugie|al(?:é|e)m disso|tamb(?:é|e)m|daarnaast|verder|bovendien|ten tweede)(?![\p{L}])/iu;
const AND_ABOUT = /^(?:and about|and could you|and can you|and please)(?!\p{L})/iu;
const LISTED = /^\s*(?:\(?\d{1,2}[.)]|[-*•])\s+(?=\S)/;
const THEN_JAPANESE = /^(?:また|それと|あと|さらに)/u;

/**
 * Cuts a text where another matter begins: at an item of a list, and at a sentence with a word such as "also". The
 * pieces together are the whole text; a piece that asks for nothing stays with the one before it.
 */
export function splitRequests(text: string): string[] {
  const pieces: string[][] = [];
  for (const sentence of joinMarkers(sentencesOf(text).flatMap(cutAtConnectors))) {
    if (pieces.length === 0 || (opensMatter(sentence) && asksForSomething(sentence))) pieces.push([sentence]);
    else pieces.at(-1)?.push(sentence);
  }
  return withoutHead(pieces.map((piece) => piece.join("\n")));
}

/** Returns true for an item of a list and for words such as "also" at the beginning. */
export function opensMatter(sentence: string): boolean {
  return [CONNECTOR, AND_ABOUT, LISTED, THEN_JAPANESE].some((opening) => opening.test(sentence));
}

/** Returns true for an item of a list. */
export function isListed(piece: string): boolean {
  return LISTED.test(piece);
}

/** A sentence that ends in a sum or an abbreviation is not seen as one, unless such a word follows. */
function cutAtConnectors(sentence: string): string[] {
  const [first = "", ...more] = sentence.split(/(?<=[.!?])\s+/);
  return more.reduce(
    (cut, piece) =>
      opensMatter(piece) ? [...cut, piece] : [...cut.slice(0, -1), `${cut.at(-1) ?? ""} ${piece}`],
    [first],
  );
}

/** A list's number that was cut off as a sentence of its own belongs to what follows. */
export function joinMarkers(sentences: readonly string[]): string[] {
  const joined: string[] = [];
  for (const sentence of sentences) {
    const before = joined.at(-1);
    if (before !== undefined && /^\(?\d{1,2}[.)]$/.test(before)) {
      joined[joined.length - 1] = `${before} ${sentence}`;
    } else joined.push(sentence);
  }
  return joined;
}

/** A greeting in front of the first matter belongs to it. */
function withoutHead(pieces: readonly string[]): string[] {
  const [head, first, ...more] = pieces;
  if (head === undefined || first === undefined || asksForSomething(head)) return [...pieces];
  return [`${head}\n${first}`, ...more];
}
