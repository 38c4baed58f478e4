import type { BuiltRequest } from "./build-request.ts";
import { TOKENS_PER_IMAGE } from "./image-parts.ts";
import type { CallCost } from "./model-client.ts";
import { costOf } from "./prices.ts";
import type { PriceTable } from "./prices.ts";
import { CHARACTERS_PER_TOKEN } from "./read-usage.ts";

/**
 * Tokens that an answer is taken to have at most where its call names no limit. Models allow more; an answer that fits
 * a contract is far shorter, and one lost call is not to use up a run's budget.
 */
export const TOKENS_OUT_UNLIMITED = 4_096;

/** Roles and marks between messages, in tokens. */
const OVERHEAD_TOKENS = 100;

/** What was sent, in characters; a picture counts by its tokens, not by the length of its encoding. */
export function charactersOf(request: BuiltRequest): number {
  const { text, images } = messagesOf(request);
  return text.length + images * TOKENS_PER_IMAGE * CHARACTERS_PER_TOKEN;
}

/**
 * Returns what a request costs at most: all that is sent and the longest answer, at the model's price.
 *
 * @param reasoning - Tokens of reasoning to be expected where the request has no bound.
 */
export function costAtMost(
  request: BuiltRequest,
  {
    model,
    prices,
    reasoning = 0,
  }: {
    readonly model: string;
    readonly prices: PriceTable;
    readonly reasoning?: number;
  },
): CallCost {
  const { text, images } = messagesOf(request);
  const schema = JSON.stringify(request.body.response_format ?? request.body.tools ?? null);
  const usage = {
    input_tokens: tokensAtMost(text) + tokensAtMost(schema) + images * TOKENS_PER_IMAGE + OVERHEAD_TOKENS,
    output_tokens:
      request.body.max_completion_tokens ?? request.body.max_tokens ?? TOKENS_OUT_UNLIMITED + reasoning,
  };
  return { cost: costOf(model, usage, prices), tokens: usage.input_tokens + usage.output_tokens };
}

function messagesOf({ body }: BuiltRequest): { readonly text: string; readonly images: number } {
  let images = 0;
  const text = JSON.stringify(body.messages, (key, value: unknown) => {
    if (key === "image_url") images += 1;
    return key === "image_url" ? null : value;
  });
  return { text, images };
}

/**
 * How many tokens a text comes to at most, for setting money aside before it is sent. Words of plain letters are
 * taken at two letters a token; everything else at one a byte, because a tokenizer that does not know a script or
 * a mark falls back to bytes: a character of emoji costs ten times what four characters a token would say.
 */
export function tokensAtMost(text: string): number {
  let letters = 0;
  let tokens = 0;
  for (const { 0: word } of text.matchAll(/ ?[A-Za-z]+/g)) {
    // A single blank before a word is part of its first token.
    letters += word.length;
    tokens += Math.ceil(word.length / 2);
  }
  return tokens + Buffer.byteLength(text) - letters;
}
