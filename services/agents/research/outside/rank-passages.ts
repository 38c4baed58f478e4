import type { HeldBack, Passage } from "../contracts.ts";
import type { Search, Source } from "./library.ts";

/** Weights of a word's repeats and of a passage's length: the usual values of BM25's k1 and b. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

interface Indexed {
  readonly passage: Passage;
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

/** Ranks passages by the words they share with a question (BM25), title included. Built once, asked often. */
export class PassageIndex {
  private readonly indexed: readonly Indexed[];
  private readonly frequency = new Map<string, number>();
  private readonly lengthMean: number;

  constructor(passages: readonly Passage[]) {
    this.indexed = passages.map((passage) => {
      const terms = termsOf(`${passage.title} ${passage.text}`);
      const counts = new Map<string, number>();
      for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
      for (const term of counts.keys()) this.frequency.set(term, (this.frequency.get(term) ?? 0) + 1);
      return { passage, counts, length: terms.length };
    });
    const total = this.indexed.reduce((sum, { length }) => sum + length, 0);
    this.lengthMean = total / Math.max(1, this.indexed.length);
  }

  /** Passages that have at least one of the words, the best first. */
  rank(text: string): Passage[] {
    const terms = [...new Set(termsOf(text))];
    return this.indexed
      .map((one) => ({ passage: one.passage, score: this.score(one, terms) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score || (a.passage.passage_id < b.passage.passage_id ? -1 : 1))
      .map(({ passage }) => passage);
  }

  private score({ counts, length }: Indexed, terms: readonly string[]): number {
    const damping = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / this.lengthMean);
    return terms.reduce((sum, term) => {
      const count = counts.get(term) ?? 0;
      const known = this.frequency.get(term) ?? 0;
      const rarity = Math.log(1 + (this.indexed.length - known + 0.5) / (known + 0.5));
      return sum + (rarity * count * (SATURATION + 1)) / (count + damping);
    }, 0);
  }
}

const PER_SOURCE_MAX = 3;

/** Takes the first passages, of each source only some. A source that is held back is named in their place. */
export function choosePassages(
  ranked: readonly Passage[],
  heldBack: ReadonlyMap<string, HeldBack>,
  passagesMax: number,
): Search {
  const passages: Passage[] = [];
  const held = new Set<HeldBack>();
  const taken = new Map<string, number>();
  for (const passage of ranked) {
    if (passages.length === passagesMax) break;
    const { source_id: source } = passage;
    const one = heldBack.get(source);
    const count = taken.get(source) ?? 0;
    if (one !== undefined) held.add(one);
    if (one !== undefined || count === PER_SOURCE_MAX) continue;
    taken.set(source, count + 1);
    passages.push(passage);
  }
  return { passages, held_back: [...held] };
}

/** Chooses passages of ranked sources: keeps their order, and takes first what shares words with the question. */
export function chooseOfRanked(
  sources: readonly Source[],
  { text, passagesMax }: { readonly text: string; readonly passagesMax: number },
): Search {
  const ranked = sources.flatMap(({ passages }) => {
    const byWords = new PassageIndex(passages).rank(text);
    return [...new Set([...byWords, ...passages])].slice(0, PER_SOURCE_MAX);
  });
  return choosePassages(ranked, heldBackOf(sources), passagesMax);
}

/** Sources that are held back, by their id. */
export function heldBackOf(sources: readonly Source[]): ReadonlyMap<string, HeldBack> {
  const held = sources.flatMap(({ heldBack }) => (heldBack === null ? [] : [heldBack]));
  return new Map(held.map((one) => [one.source_id, one]));
}

const EMPTY = new Set(
  (
    "a about above according across actually after again all also although always am an and another any anybody are as " +
    "ask at away be because been before being below between both but by came can come could dear did do does doing down " +
    "during each either else ever every everybody find first for found from further get give given go got great had has " +
    "have he hello her here hi him his how however i if in into is it its itself just kind know known last less let like look " +
    "made make many may me mean means might mine more most much must my near neither no nobody nor not nothing now of " +
    "off often on once one only or other others our out over own per perhaps please quite rather really right said same " +
    "say says see shall she should since so some somebody something still such sure take tell than thank thanks that the " +
    "their them then there these they thing things this those though through to today together too under until up upon us " +
    "very want was way we well went were what whatever when where whether which while who whom whose why will with within " +
    "without wonder would yes yet you your"
  ).split(" "),
);

/** Endings that are taken off, the longest first, with what is put there. Rough: only likeness is asked. */
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/(?:ational|ations?)$/, "at"],
  [/ments?$/, "ment"],
  [/ies$/, "y"],
  [/sses$/, "ss"],
  [/(?<=[a-z]{3})ings?$/, ""],
  [/(?<=[a-z]{3})ed$/, ""],
  [/(?<=[sxz]|ch|sh)es$/, ""],
  [/(?<=[a-z]{2}[^su])s$/, ""],
];

/** A text in lower case without accents, every run of other characters one space. Digits with their points stay. */
function foldText(text: string): string {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain
    .replaceAll(/(?<=\d),(?=\d{3})/g, "")
    .replaceAll(/(?<!\d)\.|\.(?!\d)/g, " ")
    .replaceAll(/[^\p{L}\p{N}.]+/gu, " ")
    .trim();
}

/** The root of a folded English word, as far as its endings show it. */
function stem(word: string): string {
  for (const [ending, put] of ENDINGS) {
    if (word.length > 3 && ending.test(word)) return dropE(word.replace(ending, put));
  }
  return dropE(word);
}

function dropE(word: string): string {
  return word.length > 4 && word.endsWith("e") ? word.slice(0, -1) : word;
}

/** Returns the stems of a text's words without stop words, in order, with repeats and numbers. */
export function termsOf(text: string): string[] {
  const words = foldText(text)
    .split(" ")
    .filter((word) => word !== "" && !EMPTY.has(word));
  return words.filter((word) => word.length > 1 || /\p{N}/u.test(word)).map(stem);
}
