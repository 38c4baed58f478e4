import { z } from "zod";
import { checkDistinct, contract, flatten } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import { splitText } from "#shared/context";
import { ModelRefusalError } from "#shared/model";
import { mapReduce } from "#shared/patterns";
import { readPrompt } from "#shared/runtime";
import type { Context } from "#shared/runtime";
import { fileReference, pagesReference, question, quote, remark, TaggedDocument } from "../contracts.ts";
import { DocumentTooLongError, DocumentTypeRefusedError } from "../errors.ts";
import { loadPages, textOf } from "../library.ts";
import { standIns } from "../recordings.ts";

const PROMPT = new URL("prompt.md", import.meta.url);
const SUMMARISE = readPrompt(PROMPT, "summarise");
const MERGE = readPrompt(PROMPT, "merge");

const ChunkAnswer = contract(
  "longread.chunk@1",
  z.object({ summary: remark, key_points: z.array(z.object({ point: remark, quote })).max(6) }),
  { description: "A summary of some pages, and what matters in them with the words it rests on." },
);

const MergeAnswer = contract(
  "longread.merge@1",
  z.object({
    summary: remark,
    /** Places of the points that matter most, from 0, best first. */
    best: z.array(z.int().nonnegative()).max(24),
  }),
  {
    description: "One summary of several, and which of their points matter most.",
    check: ({ best }) => checkDistinct(best, "/best"),
  },
);

const POINTS_MAX = 12;
const FAN_IN = 8;
const WINDOW = 8;
/** Tokens that a chunk takes beside its text: instructions, the answer, and its share of the merges. */
const TOKENS_PER_CHUNK = 1600;

/** A document, by reference, with what is asked of it. */
const subject = z.object({
  name: fileReference.shape.name,
  sha256: fileReference.shape.sha256,
  question: question.nullable(),
  tags: TaggedDocument.schema.shape.tags,
  text: pagesReference,
  /** Pages that could not be read off a scan: they are in no chunk. */
  gone: z.array(z.int().positive()).max(600),
});

/** Place of a chunk among those of its document, from 0. */
const place = z.int().nonnegative();

const Chunk = contract("longread.pages@3", z.object({ subject, chunk: place }), {
  description: "A chunk of a stored text that is summarised in one go.",
});

const Part = contract(
  "longread.part@3",
  z.object({
    subject,
    /** Chunks that were read: one that a model refuses is no reason to lose the others. */
    read: z.array(place).max(1000),
    summary: remark,
    key_points: z.array(z.object({ page: z.int().positive(), point: remark, quote })).max(POINTS_MAX),
    /** Points left out because their words do not stand in the chunk. */
    unsupported: z.int().nonnegative(),
    chunks: z.int().positive(),
  }),
  { description: "A summary of chunks that follow each other, with points that rest on quotations." },
);

type PartOutput = ContractOutput<typeof Part>;

const UNREAD = "This chunk was not read.";

/** Reads a long text by chunks, and what they say together, as a tree. The result names what could not be read. */
export const longread = mapReduce("longread", {
  accepts: TaggedDocument,
  item: Chunk,
  part: Part,
  fanIn: FAN_IN,
  window: WINDOW,
  answers: [ChunkAnswer, MergeAnswer],
  standIns: { summarise: standIns.summarise, merge: standIns.merge },
  policy: "collect",
  split: (document, ctx) => split(ctx, document),
  map: (item, ctx) => summarise(ctx, item),
  reduce: (parts, ctx) => merge(ctx, parts),
  finish: (part, { ctx }) => toResult(ctx, part),
});

/** @throws {DocumentTooLongError} The run's tokens do not pay for the whole text. */
async function split(
  ctx: Context,
  { file, question: asked, tags, content }: ContractOutput<typeof TaggedDocument>,
): Promise<ContractOutput<typeof Chunk>[]> {
  const text = textOf(content);
  if (text === null) throw new DocumentTypeRefusedError("a picture without text");
  const gone = content.ocr?.unread ?? [];
  const about = { name: file.name, sha256: file.sha256, question: asked, tags, text, gone };
  const pages = await loadPages(ctx, text);
  const chunks = splitPages(pages, gone);
  const { token_limit: limit, tokens_consumed: consumed } = ctx.envelope.billing;
  const count = await ctx.tokenCounter();
  const tokens = chunks.length * TOKENS_PER_CHUNK + pages.reduce((sum, page) => sum + count(page), 0);
  if (tokens > limit - consumed)
    throw new DocumentTooLongError(`about ${tokens} tokens to read, and the run has ${limit - consumed}`);
  return chunks.map((_, chunk) => ({ subject: about, chunk }));
}

async function summarise(
  ctx: Context,
  { subject: about, chunk }: ContractOutput<typeof Chunk>,
): Promise<PartOutput> {
  const pages = await loadPages(ctx, about.text);
  const range = splitPages(pages, about.gone)[chunk];
  if (range === undefined) throw new RangeError("the document has no such chunk");
  const shown = shownPages(pages, range);
  const text = shown.map((one) => one.text).join("\n\n");
  const input = { question: about.question, first_page: range.first, last_page: range.last, text };
  const answer = await ctx
    .model("summarise", { instructions: SUMMARISE, input, answers: ChunkAnswer })
    .catch((error: unknown) => {
      if (error instanceof ModelRefusalError) return null;
      throw error;
    });
  const part = { subject: about, chunks: 1 };
  if (answer === null) return { ...part, read: [], summary: UNREAD, key_points: [], unsupported: 0 };
  const { summary, key_points: points } = answer;
  const placed = points.flatMap((point) => {
    const page = pageOfWords(shown, point.quote);
    return page === null ? [] : [{ ...point, page }];
  });
  return { ...part, read: [chunk], summary, key_points: placed, unsupported: points.length - placed.length };
}

async function merge(ctx: Context, parts: readonly PartOutput[]): Promise<PartOutput> {
  const [head] = parts;
  // The pattern asks for at least two.
  const { subject: about } = head as PartOutput;
  // A point over the edge of neighbouring chunks may be named by both.
  const all = parts.flatMap(({ key_points }) => key_points);
  const quotes = all.map(({ quote: words }) => flatten(words));
  const points = all.filter((_, index) => quotes.indexOf(quotes[index] ?? "") === index);
  const input = {
    question: about.question,
    summaries: parts.map(({ summary }) => summary).filter((summary) => summary !== UNREAD),
    points: points.map(({ point }) => point),
  };
  const { summary, best } = await ctx.model("merge", { instructions: MERGE, input, answers: MergeAnswer });
  return {
    subject: about,
    read: parts.flatMap(({ read }) => read),
    summary,
    // A place that no point has names none.
    key_points: best.flatMap((at) => points[at] ?? []).slice(0, POINTS_MAX),
    unsupported: parts.reduce((sum, part) => sum + part.unsupported, 0),
    chunks: parts.reduce((sum, part) => sum + part.chunks, 0),
  };
}

async function toResult(ctx: Pick<Context, "envelope">, part: PartOutput | null): Promise<unknown> {
  if (part === null) return { kind: "document", status: "nothing_read" };
  const { subject: about, read, key_points: points, ...found } = part;
  const { text, gone, ...document } = about;
  const unread = [
    ...splitPages(await loadPages(ctx, text), gone).filter((_, chunk) => !read.includes(chunk)),
    ...gone.map((page) => ({ first: page, last: page, from: 0, to: null })),
  ];
  return {
    kind: "document",
    status: unread.length === 0 ? "read" : read.length === 0 ? "nothing_read" : "partly_read",
    ...document,
    ...found,
    pages: text.pages,
    key_points: points.toSorted((a, b) => a.page - b.page),
    unread: unread.toSorted((a, b) => a.first - b.first || a.from - b.from),
  };
}

const CHUNK_CHARACTERS_MAX = 4000;
/** Characters before a chunk that are shown with it, so that a sentence over its edge is seen whole. */
const LEAD_CHARACTERS_MAX = 400;

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

type PageRange = z.output<typeof pageRange>;

/** Returns a text's chunks: several short pages, or a part of a long one. Pages that are gone are in none. */
export function splitPages(pages: readonly string[], gone: readonly number[] = []): PageRange[] {
  const ranges: PageRange[] = [];
  let characters = Infinity;
  for (const [index, page] of pages.entries()) {
    const number = index + 1;
    const last = ranges.at(-1);
    if (gone.includes(number)) characters = Infinity;
    else if (last !== undefined && characters + page.length <= CHUNK_CHARACTERS_MAX) {
      ranges[ranges.length - 1] = { ...last, last: number };
      characters += page.length;
    } else {
      const starts = [
        0,
        ...splitText(page, CHUNK_CHARACTERS_MAX)
          .slice(1)
          .map(({ from }) => from),
      ];
      for (const [nth, from] of starts.entries())
        ranges.push({ first: number, last: number, from, to: starts[nth + 1] ?? null });
      characters = page.length - (starts.at(-1) ?? 0);
    }
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

interface ShownPage {
  /** From 1. */
  readonly page: number;
  readonly text: string;
}

/** Returns what a model is shown of a range: its pages, after the end of what stands before them. */
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
