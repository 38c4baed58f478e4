import { z } from "zod";
import { splitText } from "#shared/context";
import { CHUNK_CHARACTERS_MAX, LEAD_CHARACTERS_MAX } from "../contracts.ts";

/**
 * Text from character `from` of page `first` to before character `to` of page `last`, in UTF-16 units. Pages count
 * from 1, characters from 0; a `to` of null is the end of the page.
 */
export const pageRange = z.object({
  first: z.int().positive(),
  last: z.int().positive(),
  from: z.int().nonnegative(),
  to: z.int().positive().nullable(),
});

export type PageRange = z.output<typeof pageRange>;

/**
 * Returns the chunks of a text, which together are all of it: several short pages, or a part of one that is longer than
 * `charactersMax`.
 *
 * @param gone - Pages that could not be read: they are in no chunk.
 */
export function splitPages(
  pages: readonly string[],
  charactersMax = CHUNK_CHARACTERS_MAX,
  gone: readonly number[] = [],
): PageRange[] {
  const ranges: PageRange[] = [];
  let characters = Infinity;
  for (const [index, page] of pages.entries()) {
    const number = index + 1;
    if (gone.includes(number)) {
      characters = Infinity;
      continue;
    }
    const last = ranges.at(-1);
    if (last !== undefined && characters + page.length <= charactersMax) {
      ranges[ranges.length - 1] = { ...last, last: number };
      characters += page.length;
      continue;
    }
    const cuts = splitText(page, charactersMax).slice(1);
    const starts = [0, ...cuts.map(({ from }) => from)];
    for (const [nth, from] of starts.entries())
      ranges.push({ first: number, last: number, from, to: starts[nth + 1] ?? null });
    characters = page.length - (starts.at(-1) ?? 0);
  }
  return ranges;
}

/** Returns the text of a range as its parts of pages. */
export function pagesIn(pages: readonly string[], { first, last, from, to }: PageRange): string[] {
  return pages
    .slice(first - 1, last)
    .map((page, index) =>
      page.slice(index === 0 ? from : 0, first + index === last ? (to ?? page.length) : page.length),
    );
}

/** A page, or a part of one, as a model is shown it. */
export interface ShownPage {
  /** From 1. */
  readonly page: number;
  readonly text: string;
}

/**
 * Returns what a model is shown of a range: its pages, and before them the end of what stands before. What lies over an
 * edge of two chunks is whole in the second one.
 */
export function shownPages(pages: readonly string[], range: PageRange): ShownPage[] {
  const { first, from } = range;
  const own = pagesIn(pages, range).map((text, index) => ({ page: first + index, text }));
  const [head, ...rest] = own;
  if (head === undefined) return [];
  const page = pages[first - 1] ?? "";
  if (from > 0) return [{ page: first, text: lastOf(page.slice(0, from)) + head.text }, ...rest];
  const before = lastOf(pages[first - 2] ?? "");
  return before.trim() === "" ? own : [{ page: first - 1, text: before }, ...own];
}

const lastOf = (text: string): string => text.slice(-LEAD_CHARACTERS_MAX).replace(/^[\uDC00-\uDFFF]/, "");

/** Returns the page on which words begin, spaces apart; null where they do not stand there, on one page or over two. */
export function pageOfWords(shown: readonly ShownPage[], words: string): number | null {
  const wanted = flatten(words);
  const flat = shown.map(({ text }) => flatten(text));
  const at = wanted === "" ? -1 : flat.join(" ").indexOf(wanted);
  if (at === -1) return null;
  let end = 0;
  return shown.find((_, index) => (end += (flat[index]?.length ?? 0) + 1) > at)?.page ?? null;
}

export function flatten(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** More than a page has characters: with it a place of a document is one number, page and character. */
const PAGE = 2 ** 22;

const startOf = ({ first, from }: PageRange): number => first * PAGE + from;
/** The end of a page is the start of the next one. */
const endOf = ({ last, to }: PageRange): number => (to === null ? (last + 1) * PAGE : last * PAGE + to);

function between(start: number, end: number): PageRange {
  const to = end % PAGE;
  const last = Math.ceil(end / PAGE) - 1;
  return { first: Math.floor(start / PAGE), from: start % PAGE, last, to: to === 0 ? null : to };
}

/** Returns the same text as fewer ranges, in its order. */
export function joinRanges(ranges: readonly PageRange[]): PageRange[] {
  const joined: PageRange[] = [];
  for (const range of ranges.toSorted((a, b) => startOf(a) - startOf(b))) {
    const last = joined.at(-1);
    if (last === undefined || endOf(last) < startOf(range)) joined.push(range);
    else joined[joined.length - 1] = between(startOf(last), Math.max(endOf(last), endOf(range)));
  }
  return joined;
}

/** Returns what a text of `pages` pages has beside the given ranges. */
export function rangesBeside(ranges: readonly PageRange[], pages: number): PageRange[] {
  const joined = joinRanges(ranges);
  const ends = [...joined.map(startOf), (pages + 1) * PAGE];
  return [PAGE, ...joined.map(endOf)].flatMap((start, index) => {
    const end = ends[index] ?? start;
    return start < end ? [between(start, end)] : [];
  });
}
