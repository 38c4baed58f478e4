import { z } from "zod";
import { contract } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import { BudgetExceededError } from "#shared/envelope/limits";
import { ModelRefusalError } from "#shared/model";
import { mapReduce } from "#shared/patterns";
import { readPrompt } from "#shared/runtime";
import type { Context } from "#shared/runtime";
import type { CountTokens } from "#shared/context";
import {
  fileReference,
  pagesReference,
  question,
  quote,
  remark,
  CHUNK_CHARACTERS_MAX,
  CHUNKS_MAX,
  TaggedDocument,
} from "../contracts.ts";
import { DocumentTypeRefusedError } from "../errors.ts";
import { libraryOf, loadPages, textOf as textReferenceOf } from "../library.ts";
import type { Library } from "../library.ts";
import {
  flatten,
  joinRanges,
  pageOfWords,
  pageRange,
  rangesBeside,
  shownPages,
  splitPages,
} from "./page-ranges.ts";
import type { PageRange } from "./page-ranges.ts";
import { standIns } from "../rehearsal/stand-ins.ts";

const PROMPT = new URL("prompt.md", import.meta.url);
const SUMMARISE = readPrompt(PROMPT, "summarise");
const MERGE = readPrompt(PROMPT, "merge");

/** A statement of a document with the words that it rests on. */
const keyPoint = z.object({ point: remark, quote });

/** The summary of a chunk. */
const ChunkAnswer = contract(
  "longread.chunk@1",
  z.object({ summary: remark, key_points: z.array(keyPoint).max(6) }),
  { description: "A summary of some pages, and what matters in them with the words it rests on." },
);

/** The summary of several parts. */
const MergeAnswer = contract(
  "longread.merge@1",
  z.object({
    summary: remark,
    /** Places of the points that matter most, from 0, best first. */
    best: z.array(z.int().nonnegative()).max(24),
  }),
  {
    description: "One summary of several, and which of their points matter most.",
    check: ({ best }) =>
      new Set(best).size < best.length
        ? [{ path: "/best", code: "named_twice", message: "each point is named once" }]
        : [],
  },
);

/** Maximum points of a part, the most important ones. */
const POINTS_MAX = 12;
const FAN_IN = 8;
const WINDOW = 8;

const subject = z.object({
  name: fileReference.shape.name,
  sha256: fileReference.shape.sha256,
  question: question.nullable(),
  tags: TaggedDocument.schema.shape.tags,
});

/** A chunk of a document, by reference. */
const Pages = contract("longread.pages@2", z.object({ subject, pages: pagesReference, range: pageRange }), {
  description: "A chunk of a stored text that is summarised in one go.",
});

/** Findings of one chunk, or of many that were merged. */
const Part = contract(
  "longread.part@2",
  z.object({
    subject,
    /** Pages of the whole document. */
    pages: z.int().positive(),
    /** Chunks that were read: one that a model refuses is no reason to lose the others. */
    read: z.array(pageRange).max(CHUNKS_MAX),
    summary: remark,
    key_points: z.array(z.object({ page: z.int().positive(), point: remark, quote })).max(POINTS_MAX),
    /** Points left out because their words do not stand in the chunk. */
    unsupported: z.int().nonnegative(),
    chunks: z.int().positive(),
  }),
  {
    description: "A summary of chunks that follow each other, with points that rest on quotations.",
  },
);

const UNREAD = "This chunk was not read.";

type PartOutput = ContractOutput<typeof Part>;

/**
 * Reads a long text: chunk by chunk, and what they say together, as a tree. What the run's tokens do not pay for, and
 * what could not be read, is named in the result as unread.
 */
export const createLongread = (library: Library) =>
  mapReduce("longread", {
    accepts: TaggedDocument,
    item: Pages,
    part: Part,
    fanIn: FAN_IN,
    window: WINDOW,
    answers: [ChunkAnswer, MergeAnswer],
    standIns: { summarise: standIns.summarise, merge: standIns.merge },
    policy: "collect",
    split: (document, ctx) => split(libraryOf(library, ctx.envelope), ctx, document),
    map: (item, ctx) => summarise(libraryOf(library, ctx.envelope), ctx, item),
    reduce: (parts, ctx) => merge(ctx, parts),
    finish: (part) => toResult(part),
  });

async function split(
  library: Library,
  ctx: Context,
  { file, question: asked, tags, content }: ContractOutput<typeof TaggedDocument>,
): Promise<ContractOutput<typeof Pages>[]> {
  const reference = textReferenceOf(content);
  if (reference === null) throw new DocumentTypeRefusedError("a picture without text");
  const pages = await loadPages(library, reference);
  const ranges = splitPages(pages, CHUNK_CHARACTERS_MAX, content.ocr?.unread ?? []).slice(0, CHUNKS_MAX);
  const { token_limit: limit, tokens_consumed: consumed } = ctx.envelope.billing;
  const affordable = countAffordable(
    ranges.map((range) => textOf(pages, range)),
    {
      tokensLeft: limit - consumed,
      count: await ctx.tokenCounter(),
      asked: {
        chunk: [SUMMARISE, JSON.stringify(ChunkAnswer.jsonSchema), asked].join("\n"),
        merge: [MERGE, JSON.stringify(MergeAnswer.jsonSchema), asked].join("\n"),
      },
    },
  );
  if (affordable < ranges.length)
    ctx.log.warn({ chunks: ranges.length, affordable }, "the run's tokens do not pay for the whole text");
  const about = { name: file.name, sha256: file.sha256, question: asked, tags };
  return ranges.slice(0, affordable).map((range) => ({ subject: about, pages: reference, range }));
}

function textOf(pages: readonly string[], range: PageRange): string {
  return shownPages(pages, range)
    .map(({ text }) => text)
    .join("\n\n");
}

async function summarise(
  library: Library,
  ctx: Context,
  { subject: about, pages: reference, range }: ContractOutput<typeof Pages>,
): Promise<PartOutput> {
  const pages = await loadPages(library, reference);
  const input = {
    question: about.question,
    first_page: range.first,
    last_page: range.last,
    text: textOf(pages, range),
  };
  const answer = await ctx
    .model("summarise", { instructions: SUMMARISE, input, answers: ChunkAnswer })
    .catch((error: unknown) => {
      if (error instanceof ModelRefusalError || error instanceof BudgetExceededError) return null;
      throw error;
    });
  const part = { subject: about, pages: reference.pages, chunks: 1 };
  if (answer === null) return { ...part, read: [], summary: UNREAD, key_points: [], unsupported: 0 };
  const shown = shownPages(pages, range);
  const placed = answer.key_points.flatMap((point) => {
    const page = pageOfWords(shown, point.quote);
    return page === null ? [] : [{ ...point, page }];
  });
  return {
    ...part,
    read: [range],
    summary: answer.summary,
    key_points: placed,
    unsupported: answer.key_points.length - placed.length,
  };
}

async function merge(ctx: Context, parts: readonly PartOutput[]): Promise<PartOutput> {
  const [head] = parts;
  // The pattern asks for at least two.
  const { subject: about, pages } = head as PartOutput;
  const points = withoutRepeats(parts.flatMap(({ key_points }) => key_points));
  const input = {
    question: about.question,
    summaries: parts.map(({ summary }) => summary).filter((summary) => summary !== UNREAD),
    points: points.map(({ point }) => point),
  };
  const { summary, best } = await ctx.model("merge", { instructions: MERGE, input, answers: MergeAnswer });
  return {
    subject: about,
    pages,
    read: joinRanges(parts.flatMap(({ read }) => read)),
    summary,
    // A place that no point has names none.
    key_points: best.flatMap((place) => points[place] ?? []).slice(0, POINTS_MAX),
    unsupported: parts.reduce((sum, part) => sum + part.unsupported, 0),
    chunks: parts.reduce((sum, part) => sum + part.chunks, 0),
  };
}

function toResult(part: PartOutput | null): unknown {
  if (part === null) return { kind: "document", status: "nothing_read" };
  const { subject: about, read, key_points: points, ...found } = part;
  const unread = rangesBeside(read, found.pages);
  return {
    kind: "document",
    status: unread.length === 0 ? "read" : read.length === 0 ? "nothing_read" : "partly_read",
    ...about,
    ...found,
    key_points: points.toSorted((a, b) => a.page - b.page),
    unread,
  };
}

/** Drops points of neighbouring chunks that are the same: what lies over their edge may be a point of both. */
function withoutRepeats(points: PartOutput["key_points"]): PartOutput["key_points"] {
  const quotes = points.map(({ quote: words }) => flatten(words));
  return points.filter((_, index) => quotes.indexOf(quotes[index] ?? "") === index);
}

/** Tokens of an answer that is asked for in five sentences and six points. An answer is no longer than its text. */
const ANSWER_TOKENS = 800;
/** A merge is asked for a group of chunks. */
const CHUNKS_PER_MERGE = 8;

/**
 * Returns how many of the chunks the rest of the run's tokens pays for, counted from the first: to read each, and to
 * merge what was read.
 */
export function countAffordable(
  chunks: readonly string[],
  rest: {
    readonly tokensLeft: number;
    readonly count: CountTokens;
    /** Text sent beside each chunk and each merge: instructions, schema, question. */
    readonly asked: { readonly chunk: string; readonly merge: string };
  },
): number {
  const { count, asked } = rest;
  const [chunkTokens, mergeTokens] = [count(asked.chunk), count(asked.merge)];
  let left = rest.tokensLeft;
  const unaffordable = chunks.findIndex((chunk) => {
    const text = count(chunk);
    const answer = Math.min(ANSWER_TOKENS, text);
    // Its answer is paid for as it comes, and as it is shown to a merge.
    left -= chunkTokens + text + 2 * answer + (mergeTokens + ANSWER_TOKENS) / CHUNKS_PER_MERGE;
    return left < 0;
  });
  return unaffordable === -1 ? chunks.length : unaffordable;
}
