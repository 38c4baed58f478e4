import type { HeldBack, Passage, Search } from "./library.ts";
import { PassageIndex } from "./rank-passages.ts";
import type { Source } from "./read-source.ts";

/** Passages of one source among the results. */
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

/**
 * Chooses passages of sources that another system has ranked: its order is kept, and of each source those passages come
 * first that share words with the question.
 */
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
