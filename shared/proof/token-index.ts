import { kept } from "#shared/json";

/** Separates the joined texts. */
const GAP = "\0\0";
/** Maximum positions examined in one proof; a text not found by then has no source. */
const TRIES_MAX = 2_000_000;
/** Maximum full-text searches for tokens without words. */
const PLAIN_SEARCHES_MAX = 100;

const WORDS = /[\p{L}\p{N}_]+/gu;
/** Two characters between which no word begins or ends. */
const INSIDE_WORD = /^[\p{L}\p{N}_]{2}$/u;

/** Finds texts inside other texts between word boundaries, by the rarest word. Built at the first search. */
export class TokenIndex {
  private readonly texts: readonly string[];
  private readonly starts: number[] = [];
  private joined = "";
  private places: Map<string, number[]> | undefined;
  private triesLeft = TRIES_MAX;
  private plainSearchesLeft = PLAIN_SEARCHES_MAX;

  constructor(texts: readonly string[]) {
    this.texts = texts;
  }

  /** Index of the first text that contains `token` as whole words; -1 for none. */
  find(token: string): number {
    const places = this.placesOf();
    const word = rarestWord(token, places);
    if (word === undefined) return this.findPlain(token);
    for (const place of word.places) {
      this.triesLeft -= 1;
      if (this.triesLeft < 0) return -1;
      const index = this.textAt(place - word.offset, token);
      if (index !== -1) return index;
    }
    return -1;
  }

  private findPlain(token: string): number {
    this.plainSearchesLeft -= 1;
    if (this.plainSearchesLeft < 0) return -1;
    let at = this.joined.indexOf(token);
    for (; at !== -1 && this.triesLeft > 0; at = this.joined.indexOf(token, at + 1)) {
      this.triesLeft -= 1;
      const index = this.textAt(at, token);
      if (index !== -1) return index;
    }
    return -1;
  }

  /** Index of the text in which `token` stands at an offset of the joined text. */
  private textAt(at: number, token: string): number {
    if (at < 0 || !this.joined.startsWith(token, at) || !standsFreely(this.joined, at, token)) return -1;
    const index = lastAtMost(this.starts, at);
    const end = (this.starts[index] ?? 0) + (this.texts[index]?.length ?? 0);
    return at + token.length <= end ? index : -1;
  }

  private placesOf(): Map<string, number[]> {
    if (this.places !== undefined) return this.places;
    let start = 0;
    for (const text of this.texts) {
      this.starts.push(start);
      start += text.length + GAP.length;
    }
    this.joined = this.texts.join(GAP);
    this.places = new Map();
    for (const { 0: word, index } of this.joined.matchAll(WORDS))
      kept(this.places, word, () => []).push(index);
    return this.places;
  }
}

/** The rarest word of a token; undefined without words. */
function rarestWord(
  token: string,
  places: ReadonlyMap<string, readonly number[]>,
): { readonly offset: number; readonly places: readonly number[] } | undefined {
  let rarest: { offset: number; places: readonly number[] } | undefined;
  for (const { 0: word, index: offset } of token.matchAll(WORDS)) {
    const found = places.get(word) ?? [];
    if (rarest === undefined || found.length < rarest.places.length) rarest = { offset, places: found };
    if (found.length === 0) return rarest;
  }
  return rarest;
}

function lastAtMost(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
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
