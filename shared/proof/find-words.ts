/** Characters compared in one proof, which takes about a second; a text that is not found by then has no source. */
const COMPARED_CHARS_MAX = 1_000_000_000;
/** Characters that are compared in the time of one call of the search. */
const CHARS_PER_CALL = 20;

/** Two characters between which no word begins or ends. */
const INSIDE_WORD = /^[\p{L}\p{N}_]{2}$/u;

/** Returns a search for texts inside other texts, as whole words: the index of the first that holds one, else -1. */
export function searchWords(texts: readonly string[]): (token: string) => number {
  let charsLeft = COMPARED_CHARS_MAX;
  return (token) =>
    texts.findIndex((text) => {
      let at = -1;
      do {
        const from = at + 1;
        at = text.indexOf(token, from);
        charsLeft -= (at === -1 ? text.length : at + token.length) - from + CHARS_PER_CALL;
        if (at !== -1 && standsFreely(text, at, token)) return true;
      } while (at !== -1 && charsLeft > 0);
      return false;
    });
}

function standsFreely(text: string, at: number, token: string): boolean {
  const edges = [
    text.slice(Math.max(0, at - 1), at + 1),
    text.slice(at + token.length - 1, at + token.length + 1),
  ];
  const isFree = edges.every((edge) => !INSIDE_WORD.test(edge));
  return isFree && !continues(text, at, token);
}

/** In `A-1234` neither `A` nor `1234` is the identifier. */
function continues(text: string, at: number, token: string): boolean {
  if (!/\d/.test(token)) return false;
  return (
    /[\p{L}\p{N}][-./]$/u.test(text.slice(Math.max(0, at - 2), at)) ||
    /^[-./][\p{L}\p{N}]/u.test(text.slice(at + token.length, at + token.length + 2))
  );
}
