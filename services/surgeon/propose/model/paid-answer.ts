import { z } from "zod";
import { parseBounded } from "#shared/envelope/json";
import { SutureError } from "#shared/errors";
import type { ModelAnswer } from "#shared/model";
import type { JsonValue } from "#shared/schema";
import { refuse } from "../procedure.ts";
import type { Bill, Proposal } from "../procedure.ts";
import { withoutControls } from "./quote.ts";

/** An answer that was paid for, as the case keeps it. */
export interface PaidAnswer {
  readonly text: string;
  readonly bill: Bill;
  /** Cases whose healing was shown beside the question. Absent in what an older release kept. */
  readonly examples?: readonly string[];
}

const answerSchema = z.object({
  verdict: z.enum(["repaired", "irreparable"]),
  payload: z.string(),
  reason: z.string(),
  recipe: z.string().nullable().optional(),
});

const REASON_CHARS_MAX = 1000;

/** An answer is text in a JSON string, as long as the model's client lets it be. */
const ANSWER_BOUNDS = { stringBytesMax: 1_048_576, base64CharsMax: 1_048_576 };

/** A recipe is a small correction; what is longer is not looked at. */
const RECIPE_BOUNDS = { envelopeBytesMax: 65_536 };

export function billOf(answer: ModelAnswer): Bill {
  return {
    model: answer.model,
    tokens: answer.usage.input_tokens + answer.usage.output_tokens,
    cost: answer.cost,
  };
}

/** What a model's answer comes to. Nothing in it is believed: what it proposes is still to be proved. */
export function readAnswer({ text, bill, examples = [] }: PaidAnswer): Proposal {
  const shown = examples.length === 0 ? {} : { examples };
  const answer = answerSchema.safeParse(parse(text, ANSWER_BOUNDS));
  if (!answer.success) return { ...refuse("The model's answer cannot be read.", bill), ...shown };
  const { verdict, payload, recipe } = answer.data;
  const said = withoutControls(answer.data.reason).slice(0, REASON_CHARS_MAX);
  const more = { said, ...shown };
  if (verdict === "irreparable") return { ...refuse("The model calls it irreparable.", bill), ...more };
  const value = parse(payload);
  if (value === undefined)
    return { ...refuse("The payload in the model's answer is no JSON that could be sent.", bill), ...more };
  const named = parse(recipe ?? "null", RECIPE_BOUNDS);
  return { kind: "repair", value, reason: "The strong model's repair.", bill, recipe: named, ...more };
}

/**
 * Undefined for what is no JSON, or could not be sealed: a name twice, nesting that exhausts whoever walks it, a
 * reach for a prototype, too much of anything.
 */
function parse(text: string, bounds: Parameters<typeof parseBounded>[1] = {}): JsonValue | undefined {
  try {
    // It gives nothing but JSON values.
    return parseBounded(text, bounds) as JsonValue;
  } catch (error) {
    if (error instanceof SutureError) return undefined;
    throw error;
  }
}
