/** Separates the joined texts. */
const GAP = "\0\0";
/** Maximum positions examined in one proof; a text not found by then has no source. */
const TRIES_MAX = 2_000_000;
/** Maximum full-text searches for tokens without words. */
const PLAIN_SEARCHES_MAX = 100;

const WORD = /[\p{L}\p{N}_]/u;
/** Cache by UTF-16 unit: 0 unknown, 1 word character, 2 other. */
const asked = new Uint8Array(0x10000);

function isOfWord(code: number): boolean {
  const known = asked[code] ?? 2;
  if (known !== 0) return known === 1;
  const answer = WORD.test(String.fromCharCode(code));
  asked[code] = answer ? 1 : 2;
  return answer;
}

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
    for (const { word, at } of wordsIn(this.joined)) {
      const places = this.places.get(word);
      if (places === undefined) this.places.set(word, [at]);
      else places.push(at);
    }
    return this.places;
  }
}

function* wordsIn(text: string): Generator<{ readonly word: string; readonly at: number }> {
  for (let at = 0; at < text.length; at += 1) {
    if (!isOfWord(text.charCodeAt(at))) continue;
    const from = at;
    while (at < text.length && isOfWord(text.charCodeAt(at))) at += 1;
    yield { word: text.slice(from, at), at: from };
  }
}

/** The rarest word of a token; undefined without words. */
function rarestWord(
  token: string,
  places: ReadonlyMap<string, readonly number[]>,
): { readonly offset: number; readonly places: readonly number[] } | undefined {
  let rarest: { offset: number; places: readonly number[] } | undefined;
  for (const { word, at } of wordsIn(token)) {
    const found = places.get(word) ?? [];
    if (rarest === undefined || found.length < rarest.places.length) rarest = { offset: at, places: found };
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
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at + token.length)];
  const isFree =
    !(isOfWord(before) && isOfWord(token.charCodeAt(0))) &&
    !(isOfWord(after) && isOfWord(token.charCodeAt(token.length - 1)));
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
