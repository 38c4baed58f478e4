import { z } from "zod";
import { contract } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import { ModelRefusalError } from "#shared/model";
import { mapReduce } from "#shared/patterns";
import { readPrompt } from "#shared/runtime";
import type { Context } from "#shared/runtime";
import { fileReference, pagesReference, question, quote, remark } from "../contract-fields.ts";
import { TaggedDocument } from "../contracts.ts";
import { DocumentTypeRefusedError } from "../errors.ts";
import { SHOWN_CHARACTERS_MAX } from "../limits.ts";
import { loadPages } from "../library.ts";
import type { Library } from "../library.ts";
import { ChunkAnswer, MergeAnswer } from "./answer.ts";
import type { ChunkInput, MergeInput } from "./answer.ts";
import { splitPages } from "./split-pages.ts";
import { mergeParts, summariseChunk } from "./stand-in.ts";

const PROMPT = new URL("prompt.md", import.meta.url);
const SUMMARISE = readPrompt(PROMPT, "summarise");
const MERGE = readPrompt(PROMPT, "merge");

/** Points that a part keeps; those that matter most, as whoever merged it said. */
const POINTS_MAX = 12;
const UNREAD_MAX = 600;
const FAN_IN = 8;
const WINDOW = 8;

const subject = z.object({
  name: fileReference.shape.name,
  sha256: fileReference.shape.sha256,
  question: question.nullable(),
  tags: TaggedDocument.schema.shape.tags,
});

/** Some pages of a document, by reference. */
const Pages = contract(
  "longread.pages@1",
  z.object({ subject, pages: pagesReference, first: z.int().positive(), last: z.int().positive() }),
  { description: "Pages of a stored text that are summarised in one go." },
);

/** What some pages say, and later what many of them do. */
const Part = contract(
  "longread.part@1",
  z.object({
    subject,
    first: z.int().positive(),
    last: z.int().positive(),
    summary: remark,
    key_points: z.array(z.object({ page: z.int().positive(), point: remark, quote })).max(POINTS_MAX),
    /** Points left out because their words do not stand on these pages. */
    unsupported: z.int().nonnegative(),
    /** Pages that a model refused to read: one page is no reason to lose the others. */
    unread: z.array(z.int().positive()).max(UNREAD_MAX),
    chunks: z.int().positive(),
  }),
  { description: "A summary of pages that follow each other, with points that rest on quotations." },
);

const UNREAD = "These pages were not read.";

type PartOutput = ContractOutput<typeof Part>;

/** Reads a text of any length: part by part, and what they say together, as a tree. */
export const createLongread = (library: Library) =>
  mapReduce("longread", {
    accepts: TaggedDocument,
    item: Pages,
    part: Part,
    fanIn: FAN_IN,
    window: WINDOW,
    answers: [ChunkAnswer, MergeAnswer],
    standIns: { summarise: summariseChunk, merge: mergeParts },
    split: async ({ file, question: asked, tags, content }) => {
      if (content.kind !== "pages") throw new DocumentTypeRefusedError(content.mime_type);
      const { pages } = content;
      const about = { name: file.name, sha256: file.sha256, question: asked, tags };
      return splitPages(await loadPages(library, pages)).map((range) => ({
        subject: about,
        pages,
        ...range,
      }));
    },
    map: (item, ctx) => summarise(library, ctx, item),
    reduce: (parts, ctx) => merge(ctx, parts),
    finish: (part) => toResult(part),
  });

async function summarise(
  library: Library,
  ctx: Context,
  { subject: about, pages: reference, first, last }: ContractOutput<typeof Pages>,
): Promise<PartOutput> {
  const pages = (await loadPages(library, reference)).slice(first - 1, last);
  const input: ChunkInput = {
    question: about.question,
    first_page: first,
    last_page: last,
    text: pages.join("\n\n").slice(0, SHOWN_CHARACTERS_MAX),
  };
  const answer = await ctx
    .model("summarise", { instructions: SUMMARISE, input, answers: ChunkAnswer })
    .catch((error: unknown) => {
      if (error instanceof ModelRefusalError) return null;
      throw error;
    });
  if (answer === null) {
    const unread = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    const nothing = { summary: UNREAD, key_points: [], unsupported: 0, unread, chunks: 1 };
    return { subject: about, first, last, ...nothing };
  }
  const flat = pages.map(flatten);
  const placed = answer.key_points.flatMap((point) => {
    const at = flat.findIndex((page) => page.includes(flatten(point.quote)));
    return at === -1 ? [] : [{ ...point, page: first + at }];
  });
  return {
    subject: about,
    first,
    last,
    summary: answer.summary,
    key_points: placed,
    unsupported: answer.key_points.length - placed.length,
    unread: [],
    chunks: 1,
  };
}

async function merge(ctx: Context, parts: readonly PartOutput[]): Promise<PartOutput> {
  const [head] = parts;
  // The pattern asks for at least two.
  const { subject: about, first } = head as PartOutput;
  const points = parts.flatMap(({ key_points }) => key_points);
  const input: MergeInput = {
    question: about.question,
    summaries: parts.map(({ summary }) => summary).filter((summary) => summary !== UNREAD),
    points: points.map(({ point }) => point),
  };
  const { summary, best } = await ctx.model("merge", { instructions: MERGE, input, answers: MergeAnswer });
  return {
    subject: about,
    first,
    last: parts.at(-1)?.last ?? first,
    summary,
    // A place that no point has names none.
    key_points: best.flatMap((place) => points[place] ?? []).slice(0, POINTS_MAX),
    unsupported: parts.reduce((sum, part) => sum + part.unsupported, 0),
    unread: parts.flatMap((part) => part.unread).slice(0, UNREAD_MAX),
    chunks: parts.reduce((sum, part) => sum + part.chunks, 0),
  };
}

function toResult(part: PartOutput | null): unknown {
  if (part === null) return { kind: "document", status: "nothing_read" };
  const { subject: about, last, summary, key_points: points, unsupported, unread, chunks } = part;
  const { name, sha256, question: asked, tags } = about;
  return {
    kind: "document",
    status: "read",
    name,
    sha256,
    question: asked,
    tags,
    pages: last,
    chunks,
    summary,
    key_points: points.toSorted((a, b) => a.page - b.page),
    unsupported,
    unread,
  };
}

function flatten(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
