/**
 * How many tokens a text comes to at most, for setting money aside before it is sent. Words of plain letters are
 * taken at two letters a token; everything else at one a byte, because a tokenizer that does not know a script or
 * a mark falls back to bytes: a character of emoji costs ten times what four characters a token would say.
 */
export function tokensAtMost(text: string): number {
  let letters = 0;
  let tokens = 0;
  for (const { 0: word } of text.matchAll(/ ?[A-Za-z]+/g)) {
    // A single blank before a word is part of its first token.
    letters += word.length;
    tokens += Math.ceil(word.length / 2);
  }
  return tokens + Buffer.byteLength(text) - letters;
}
