import type { BuiltRequest } from "./build-request.ts";
import { TOKENS_PER_IMAGE } from "./messages.ts";
import type { CallCost, TokenUsage } from "./model-client.ts";
import { CHARACTERS_PER_TOKEN } from "./read-completion.ts";

/** USD per million tokens. */
interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Of input that the provider read from its cache. Default: `input`. */
  readonly cached?: number | undefined;
}

/** Prices by the model's name. An operator's table is laid over the default one. */
export type PriceTable = Readonly<Record<string, ModelPrice>>;

/**
 * Prices of models where the operator sets none. List prices change: the table is there to bound spending, not to
 * do accounts. A dated name (`gpt-5-mini-2025-08-07`) has the price of the name without its date.
 */
export const PRICES_DEFAULT: PriceTable = {
  "gpt-5": { input: 1.25, cached: 0.125, output: 10 },
  "gpt-5-mini": { input: 0.25, cached: 0.025, output: 2 },
  "gpt-5-nano": { input: 0.05, cached: 0.005, output: 0.4 },
  "gpt-5-pro": { input: 15, output: 120 },
  "gpt-4.1": { input: 2, cached: 0.5, output: 8 },
  "gpt-4.1-mini": { input: 0.4, cached: 0.1, output: 1.6 },
  "gpt-4.1-nano": { input: 0.1, cached: 0.025, output: 0.4 },
  "gpt-4o": { input: 2.5, cached: 1.25, output: 10 },
  "gpt-4o-mini": { input: 0.15, cached: 0.075, output: 0.6 },
  "rehearsal-router": { input: 0.05, output: 0.4 },
  "rehearsal-worker": { input: 0.25, output: 2 },
  "rehearsal-surgeon": { input: 1.25, output: 10 },
};

const DATED = /-(\d{4}-\d{2}-\d{2}|latest)$/;

/** Returns true for a model that has a price of its own in a table. */
export function isPriced(model: string, prices: PriceTable): boolean {
  return findPrice(model, prices) !== undefined;
}

function findPrice(model: string, prices: PriceTable): ModelPrice | undefined {
  const name = [model, model.replace(DATED, "")].find((one) => Object.hasOwn(prices, one));
  return name === undefined ? undefined : prices[name];
}

/** The highest prices known: a budget stops an unknown model too early rather than too late. */
function dearest(prices: PriceTable): ModelPrice {
  const all = [...Object.values(prices), ...Object.values(PRICES_DEFAULT)];
  return {
    input: Math.max(...all.map((price) => price.input)),
    output: Math.max(...all.map((price) => price.output)),
  };
}

/** Returns the cost of a call in USD: tokens, whole and not negative, times the model's price. */
export function costOf(model: string, usage: TokenUsage, prices: PriceTable = PRICES_DEFAULT): number {
  const { input, output, cached = input } = findPrice(model, prices) ?? dearest(prices);
  const read = usage.cached_tokens ?? 0;
  return ((usage.input_tokens - read) * input + read * cached + usage.output_tokens * output) / 1_000_000;
}

/** Tokens that an unlimited answer counts as at most: far more than one that fits a contract. */
export const TOKENS_OUT_UNLIMITED = 4_096;

/** Roles and marks between messages, in tokens. */
const OVERHEAD_TOKENS = 100;

/** Returns the characters of a request; a picture counts by its tokens, not by the length of its encoding. */
export function charactersOf(request: BuiltRequest): number {
  const { text, images } = messagesOf(request);
  return text.length + images * TOKENS_PER_IMAGE * CHARACTERS_PER_TOKEN;
}

/** Returns what a request costs at most. @param reasoning - Tokens to be expected where the request has no bound. */
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

/** Returns the tokens of a text at most: two plain letters a token, else one a byte, as of an unknown script. */
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
