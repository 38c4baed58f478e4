import { z } from "zod";
import type { ModelAnswer } from "./model-client.ts";

/** More than any model takes; a report beyond it is nonsense. */
const TOKENS_MAX = 100_000_000;
const CHARACTERS_PER_TOKEN = 4;

const countSchema = z.number().int().min(0).max(TOKENS_MAX);

/** What was sent and what came back, in characters. */
export interface Exchanged {
  readonly charactersIn: number;
  readonly charactersOut: number;
}

/**
 * Token counts as the endpoint reports them, each replaced by an estimate where it is missing or cannot be: no whole
 * number, negative, or nothing for something.
 */
export function readUsage(reported: unknown, exchanged: Exchanged): ModelAnswer["usage"] {
  const { prompt_tokens, completion_tokens } = asRecord(reported);
  return {
    input_tokens: readCount(prompt_tokens, exchanged.charactersIn),
    output_tokens: readCount(completion_tokens, exchanged.charactersOut),
  };
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  // Any object may be read by key; what is found is checked.
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function readCount(reported: unknown, characters: number): number {
  const count = countSchema.safeParse(reported);
  const isPlausible = count.success && (count.data > 0 || characters === 0);
  return isPlausible ? count.data : Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
