import { z } from "zod";
import { asRecord } from "./strict-rules.ts";
import type { TokenUsage } from "./model-client.ts";

/** More than any model takes; a report beyond it is nonsense. */
const TOKENS_MAX = 100_000_000;
export const CHARACTERS_PER_TOKEN = 4;

const countSchema = z.number().int().min(0).max(TOKENS_MAX);

/** What was sent and what came back, in characters. */
export interface Exchanged {
  readonly charactersIn: number;
  readonly charactersOut: number;
  /** What the answer and its reasoning were limited to. Absent: they were not. */
  readonly tokensOutMax?: number;
}

/** Roles, marks between messages and the answer's schema are counted as input, too; in tokens, generously. */
const OVERHEAD_TOKENS = 20_000;

/** A character is four bytes at most, and a token is a byte at least. */
const TOKENS_PER_CHARACTER_MAX = 4;

/**
 * Token counts as the endpoint reports them, each replaced by an estimate where it is missing or cannot be: no whole
 * number, negative, nothing for something, or more than was sent or allowed. An endpoint that reports millions would
 * otherwise spend everybody's budget with one answer.
 */
export function readUsage(reported: unknown, exchanged: Exchanged): TokenUsage {
  const { charactersIn, charactersOut, tokensOutMax = TOKENS_MAX } = exchanged;
  const input = readCount(asRecord(reported)["prompt_tokens"], {
    characters: charactersIn,
    tokensMax: charactersIn * TOKENS_PER_CHARACTER_MAX + OVERHEAD_TOKENS,
  });
  const output = readCount(generatedTokens(reported), {
    characters: charactersOut,
    // Some endpoints take no limit to heart; then what came is what was paid for.
    tokensMax: Math.max(tokensOutMax, charactersOut * TOKENS_PER_CHARACTER_MAX),
  });
  const cached = reportedCached(reported);
  const reasoning = reportedReasoning(reported);
  return {
    input_tokens: input,
    output_tokens: output,
    // A part that is larger than its whole is nonsense: the full price holds.
    ...(cached > 0 && cached <= input ? { cached_tokens: cached } : {}),
    ...(reasoning > 0 && reasoning <= output ? { reasoning_tokens: reasoning } : {}),
  };
}

/**
 * Tokens that were generated. Google and others leave reasoning out of `completion_tokens` and count it in the total
 * alone: https://github.com/router-for-me/CLIProxyAPI/issues/5733
 */
export function generatedTokens(reported: unknown): unknown {
  const { prompt_tokens: sent, completion_tokens: said, total_tokens: total } = asRecord(reported);
  const counts = z.tuple([countSchema, countSchema, countSchema]).safeParse([sent, said, total]);
  return counts.success ? Math.max(counts.data[1], counts.data[2] - counts.data[0]) : said;
}

/** Tokens of reasoning as the endpoint reports them; 0 where it reports none. */
export function reportedReasoning(reported: unknown): number {
  return countIn(asRecord(reported)["completion_tokens_details"], "reasoning_tokens");
}

/**
 * Input tokens that the provider read from its cache, as reported: in OpenAI's form, which Azure, Google, Mistral,
 * LiteLLM, vLLM and xAI share, or in DeepSeek's or Anthropic's own. 0 where none are reported.
 */
function reportedCached(reported: unknown): number {
  const counts = [
    countIn(asRecord(reported)["prompt_tokens_details"], "cached_tokens"),
    countIn(reported, "prompt_cache_hit_tokens"),
    countIn(reported, "cache_read_input_tokens"),
  ];
  return Math.max(...counts);
}

function countIn(within: unknown, name: string): number {
  const count = countSchema.safeParse(asRecord(within)[name]);
  return count.success ? count.data : 0;
}

function readCount(
  reported: unknown,
  { characters, tokensMax }: { readonly characters: number; readonly tokensMax: number },
): number {
  const count = countSchema.safeParse(reported);
  const isPlausible = count.success && (count.data > 0 || characters === 0) && count.data <= tokensMax;
  return isPlausible ? count.data : Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
