import { parseBounded } from "#shared/envelope/json";
import { SutureError } from "#shared/errors";
import type { JsonSchema } from "#shared/json";
import type { ModelAnswer } from "#shared/model";
import type { ModelReading } from "#shared/proof";
import { firstAid } from "#shared/repair";
import type { JsonValue } from "#shared/schema";
import { refuse } from "../procedure.ts";
import type { Bill, NoRepair, Repair } from "../procedure.ts";
import {
  ANSWER_SCHEMA,
  answerSchema,
  quotesSchema,
  READING_SCHEMA,
  readingSchema,
  withoutControls,
} from "./question.ts";

/** A paid model answer, as stored in its case. */
export interface PaidAnswer {
  readonly text: string;
  readonly bill: Bill;
  /** Tokens to ask for, where the answer was cut off. */
  readonly higherLimit?: number;
}

/** A quotation that cannot be read proves nothing; the answer stands without it. */
const readQuotes = quotesSchema
  .catch([])
  .transform((read) => read.map(({ quote, path }) => ({ text: quote, path })));
const readingForm = readingSchema.extend({ quotes: readQuotes });
const answerForm = answerSchema.extend({ quotes: readQuotes, recipe: answerSchema.shape.recipe.optional() });

const REASON_CHARS_MAX = 1000;

/** An answer is text in a JSON string, of the model client's maximum length. */
const ANSWER_BOUNDS = { stringBytesMax: 1_048_576, base64CharsMax: 1_048_576 };

/** Longer recipes are ignored. */
const RECIPE_BOUNDS = { envelopeBytesMax: 65_536 };

export function billOf(answer: ModelAnswer): Bill {
  return {
    model: answer.model,
    tokens: answer.usage.input_tokens + answer.usage.output_tokens,
    cost: answer.cost,
  };
}

/** Returns the bill of two calls for one proposal. */
export function sumOf(one: Bill, other: Bill): Bill {
  return { model: other.model, tokens: one.tokens + other.tokens, cost: one.cost + other.cost };
}

/** Returns true for an answer that holds all that is asked for, whether or not it was called cut off. */
export function isWhole(text: string): boolean {
  return answerForm.safeParse(parse(text, ANSWER_BOUNDS)).success;
}

/** Reads a model's answer. Its proposal still has to be proved. */
export function readAnswer({ text, bill }: PaidAnswer): Repair | NoRepair {
  const answer = answerForm.safeParse(parse(text, ANSWER_BOUNDS) ?? mend(text, ANSWER_SCHEMA));
  if (!answer.success) return refuse("The model's answer cannot be read.", bill);
  const { verdict, payload, quotes, recipe } = answer.data;
  const said = withoutControls(answer.data.reason).slice(0, REASON_CHARS_MAX);
  if (verdict === "irreparable") return { ...refuse("The model calls it irreparable.", bill), said };
  const value = parse(payload);
  if (value === undefined)
    return { ...refuse("The payload in the model's answer is no JSON that could be sent.", bill), said };
  const named = parse(recipe ?? "null", RECIPE_BOUNDS);
  return {
    kind: "repair",
    value,
    reason: "The strong model's repair.",
    bill,
    recipe: named,
    quotes,
    said,
  };
}

/** Reads what a model read in a text; null for an answer that cannot be read, or says that it found no payload. */
export function readReading({ text }: Pick<PaidAnswer, "text">): ModelReading | null {
  const answer = readingForm.safeParse(parse(text, ANSWER_BOUNDS) ?? mend(text, READING_SCHEMA));
  const value = answer.success ? parse(answer.data.payload) : undefined;
  return answer.success && value !== undefined ? { value, quotes: answer.data.quotes } : null;
}

/** Reads an answer of an endpoint that does not keep its model to JSON; undefined for one that first aid refuses. */
function mend(text: string, schema: JsonSchema): JsonValue | undefined {
  const aided = firstAid(text, schema);
  return aided.ok ? aided.value : undefined;
}

/** Undefined for no JSON, or what cannot be sealed: repeated or prototype names, deep nesting, exceeded limits. */
function parse(text: string, bounds: Parameters<typeof parseBounded>[1] = {}): JsonValue | undefined {
  try {
    // It returns JSON values only.
    return parseBounded(text, bounds) as JsonValue;
  } catch (error) {
    if (error instanceof SutureError) return undefined;
    throw error;
  }
}
