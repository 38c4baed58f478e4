import { z } from "zod";
import type { ModelAnswer } from "./model-client.ts";

/** More than any model takes; a report beyond it is nonsense. */
const TOKENS_MAX = 100_000_000;
export const CHARACTERS_PER_TOKEN = 4;

const countSchema = z.number().int().min(0).max(TOKENS_MAX);

/** What was sent and what came back, in characters. */
export interface Exchanged {
  readonly charactersIn: number;
  readonly charactersOut: number;
  /** What the answer was limited to. Absent: it was not. */
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
export function readUsage(reported: unknown, exchanged: Exchanged): ModelAnswer["usage"] {
  const { prompt_tokens, completion_tokens } = asRecord(reported);
  const { charactersIn, charactersOut, tokensOutMax = TOKENS_MAX } = exchanged;
  return {
    input_tokens: readCount(prompt_tokens, {
      characters: charactersIn,
      tokensMax: charactersIn * TOKENS_PER_CHARACTER_MAX + OVERHEAD_TOKENS,
    }),
    output_tokens: readCount(completion_tokens, {
      characters: charactersOut,
      // Some endpoints take no limit to heart; then what came is what was paid for.
      tokensMax: Math.max(tokensOutMax, charactersOut * TOKENS_PER_CHARACTER_MAX),
    }),
  };
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  // Any object may be read by key; what is found is checked.
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function readCount(
  reported: unknown,
  { characters, tokensMax }: { readonly characters: number; readonly tokensMax: number },
): number {
  const count = countSchema.safeParse(reported);
  const isPlausible = count.success && (count.data > 0 || characters === 0) && count.data <= tokensMax;
  return isPlausible ? count.data : Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
