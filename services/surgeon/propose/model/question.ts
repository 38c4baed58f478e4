import { z } from "zod";
import { randomHex } from "#shared/clock";
import { toJsonSchema } from "#shared/contract";
import type { JsonSchema } from "#shared/json";
import { literalsOf, validate } from "#shared/schema";
import { causeSchema } from "#shared/store/cases";
import { faultsOf } from "../../cases/case.ts";
import type { RepairContext } from "../../cases/case.ts";
import type { Objected } from "../procedure.ts";
import type { Concealed } from "./conceal.ts";

/** Pieces that a model copies from the texts for its values. */
export const quotesSchema = z.array(z.object({ quote: z.string(), path: z.string().nullable() }));

/** A reading apart from the repair: quotations come before the payload, so that the text is read first. */
export const readingSchema = z.object({ quotes: quotesSchema, payload: z.string() });

/** The strong model's answer. */
export const answerSchema = z.object({
  verdict: z.enum(["repaired", "irreparable"]),
  payload: z.string(),
  quotes: quotesSchema,
  reason: z.string(),
  recipe: z.string().nullable(),
});

export const READING_SCHEMA = toJsonSchema(readingSchema, "output");
export const ANSWER_SCHEMA = toJsonSchema(answerSchema, "output");
export const CAUSE_SCHEMA = toJsonSchema(causeSchema, "output");

const PROBLEMS_MAX = 50;
const OBJECTIONS_MAX = 30;
const HISTORY_MESSAGES_MAX = 10;
const HISTORY_CHARS_MAX = 8000;
const QUERY_CHARS_MAX = 16_000;
const INPUT_CHARS_MAX = 16_000;

/** Maximum length of a quoted pointer or message. */
const NAMED_CHARS_MAX = 300;

/**
 * Returns the prompt's input as JSON text: the message as data, its contract and its problems. Quotes every text from a
 * message without control characters and within a limit; the caller limits the message itself.
 *
 * @param more.objected - The model's first repair, and what the proof found against it. Null: it has made none.
 * @param more.concealed - The message and its sources as a model may see them.
 */
export function writeQuestion(
  context: RepairContext,
  more: {
    readonly objected: Objected | null;
    readonly concealed: Concealed;
  },
): string {
  const { hides, hide } = more.concealed;
  const shown = hides ? showPlaces(context.schema) : (problem: Problem) => problem;
  return JSON.stringify({
    ...toldOf(context, more.concealed),
    problems: problemsOf(context).map(shown),
    ...(more.objected === null ? {} : { second_look: quoteObjections(more.objected, hide, shown) }),
  });
}

/** Returns the input of a second reading: message, contract and sources, without its problems or any answer. */
export function writeReadingQuestion(context: RepairContext, concealed: Concealed): string {
  return JSON.stringify(toldOf(context, concealed));
}

/** Characters of one example's message in the question for a cause note. */
const EXAMPLE_CHARS_MAX = 8000;

/** Returns the input of a cause note: examples as a model may see them, their contract, and facts of the group. */
export function writeCauseQuestion(
  facts: Readonly<Record<string, string | number>>,
  examples: readonly { readonly context: RepairContext; readonly concealed: Concealed }[],
): string {
  const contract = examples[0]?.context;
  return JSON.stringify({
    group: Object.fromEntries(
      Object.entries(facts).map(([name, fact]) => [name, quoteShort(String(fact), NAMED_CHARS_MAX)]),
    ),
    contract: { id: contract?.contractId, schema: contract?.schema },
    examples: examples.map(({ context, concealed }) => ({
      message: quote("message", quoteShort(concealed.text, EXAMPLE_CHARS_MAX)),
      problems: problemsOf(context).map(concealed.hides ? showPlaces(context.schema) : (problem) => problem),
    })),
  });
}

function toldOf(context: RepairContext, { text, sources, placeholders }: Concealed): object {
  return {
    message: quote("message", text),
    ...(Object.keys(placeholders).length === 0 ? {} : { placeholders }),
    contract: { id: context.contractId, schema: context.schema },
    original_query: quoteShort(sources.original_query, QUERY_CHARS_MAX),
    history: recentHistory(sources.history),
    ...(sources.input === undefined
      ? {}
      : { input: quoteShort(JSON.stringify(sources.input), INPUT_CHARS_MAX) }),
  };
}

function quoteObjections(
  { value, objections }: Objected,
  hide: Concealed["hide"],
  shown: (problem: Problem) => Partial<Problem>,
): unknown {
  return {
    payload: quote("answer", JSON.stringify(hide(value))),
    objections: objections.slice(0, OBJECTIONS_MAX).map((one) => shown(toProblem(one))),
  };
}

/** Returns a problem's place and code alone: its message quotes the contract, and would tell concealed values. */
function showPlaces(schema: JsonSchema): (problem: Problem) => Partial<Problem> {
  const { names } = literalsOf(schema);
  const isPublic = (step: string): boolean => step === "" || names.has(step) || /^\d+$/.test(step);
  return ({ path, code }) => ({
    path: path
      .split("/")
      .map((step) => (isPublic(step) ? step : "[sensitive]"))
      .join("/"),
    code,
  });
}

interface Problem {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

function toProblem({ path, code, message }: Problem): Problem {
  return {
    path: quoteShort(path, NAMED_CHARS_MAX),
    code: quoteShort(code, NAMED_CHARS_MAX),
    message: quoteShort(message, NAMED_CHARS_MAX),
  };
}

/** The current problems of the message and those of its admission, each path and code once. */
function problemsOf(context: RepairContext): Problem[] {
  const found = context.value === undefined ? [] : validate(context.value, context.schema);
  const recorded = context.message.record.failures.flatMap((failure) => failure.issues);
  const all = [...found, ...faultsOf(context), ...recorded];
  const byPlace = new Map(all.map((issue) => [`${issue.path} ${issue.code}`, issue]));
  return [...byPlace.values()].slice(0, PROBLEMS_MAX).map(toProblem);
}

function recentHistory(history: unknown): { role: string; content: string }[] {
  if (!Array.isArray(history)) return [];
  let left = HISTORY_CHARS_MAX;
  const kept: { role: string; content: string }[] = [];
  for (const entry of history.slice(-HISTORY_MESSAGES_MAX).toReversed()) {
    const { role, content } = entry as { role?: unknown; content?: unknown };
    if (typeof role !== "string" || typeof content !== "string" || content.length > left) continue;
    left -= content.length;
    kept.unshift({
      role: quoteShort(role, NAMED_CHARS_MAX),
      content: quoteShort(content, HISTORY_CHARS_MAX),
    });
  }
  return kept;
}

/** Random bytes of one delimiter. */
const MARK_BYTES = 8;

/** Share of a truncated text that comes from its end; the rest comes from its beginning. */
const END_SHARE = 4;

/**
 * Quotes a text between two delimiter lines that its author cannot forge (prompt injection): they contain a random
 * mark that the text does not. Strips control characters.
 * @param newMark - Source of marks. Default: 16 random hex digits.
 */
export function quote(name: string, text: string, newMark = (): string => randomHex(MARK_BYTES)): string {
  const plain = withoutControls(text);
  let mark = newMark();
  // A mark longer than the text cannot occur in it.
  while (plain.includes(mark)) mark += newMark() || "#";
  return `<<${name} ${mark}>>\n${plain}\n<<end ${mark}>>`;
}

/**
 * Strips characters that steer terminals or hide words: control and format characters, line separators that are not
 * line breaks, and runs of variation selectors, which can encode hidden sentences. Keeps line breaks, tabs, script
 * joiners and a single selector after a character.
 */
export function withoutControls(text: string): string {
  return text
    .replaceAll(/[\p{Cc}--[\n\r\t]]|[\p{Cf}--[\u200c\u200d]]|[\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gv, "")
    .replaceAll(/([\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu, "$1");
}

/** Quotes at most `charsMax` characters, with a note in place of the dropped middle. */
function quoteShort(text: string, charsMax: number): string {
  const plain = withoutControls(text);
  if (plain.length <= charsMax) return plain;
  const end = Math.floor(charsMax / END_SHARE);
  const left = plain.length - charsMax;
  return `${plain.slice(0, charsMax - end)} … ${left} characters left out … ${plain.slice(plain.length - end)}`;
}
