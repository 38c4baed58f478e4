import { z } from "zod";
import { isRecord, readJson } from "#shared/json";
import type { ModelAnswer, TokenUsage } from "./model-client.ts";
import { asRecord } from "./strict-rules.ts";
import { readToolCalls } from "./tool-calls.ts";
import type { RequestedCall } from "./tool-calls.ts";

/** The parts of a completion that are read. Everything else an endpoint adds is ignored. */
const completionSchema = z.object({
  model: z.string().min(1).max(200).optional().catch(undefined),
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish().catch(null),
        message: z.object({
          content: z
            .union([z.string(), z.null(), z.array(z.object({ text: z.string().optional() }))])
            .optional(),
          refusal: z.string().nullish().catch(null),
          tool_calls: z.unknown().optional(),
        }),
      }),
    )
    .min(1),
  usage: z.unknown().optional(),
});

/** A completion in our words. */
export interface Completion {
  readonly text: string;
  /** Tool calls, unchecked. */
  readonly calls: readonly RequestedCall[];
  /** As the endpoint names it; null when it does not. */
  readonly model: string | null;
  readonly finish: ModelAnswer["finish"];
  /** Unchecked. */
  readonly usage: unknown;
}

/** Reads what came with status 200; null for no completion. @param isByTool - Asked for as a tool's arguments. */
export function readCompletion(body: unknown, isByTool = false): Completion | null {
  // Some servers send JSON under another content type, which the SDK then leaves as text.
  const parsed = completionSchema.safeParse(typeof body === "string" ? readJson(body) : body);
  const choice = parsed.data?.choices[0];
  if (parsed.data === undefined || choice === undefined) return null;
  const { content, refusal } = choice.message;
  const calls = readToolCalls(choice.message.tool_calls);
  const said = Array.isArray(content) ? content.map((part) => part.text ?? "").join("") : (content ?? "");
  const given = isByTool ? calls[0]?.arguments : undefined;
  // Google names the filter's reason after a colon.
  const isRefusal = (refusal ?? "") !== "" || choice.finish_reason?.startsWith("content_filter") === true;
  return {
    text: given ?? withoutThoughts(said),
    calls,
    model: parsed.data.model ?? null,
    finish: isRefusal ? "refusal" : (FINISHES.get(choice.finish_reason?.toLowerCase() ?? "") ?? "other"),
    usage: parsed.data.usage,
  };
}

/** Reasons by which servers end an answer, beside OpenAI's own: Mistral's, and those of APIs that proxies pass on. */
const FINISHES: ReadonlyMap<string, ModelAnswer["finish"]> = new Map([
  ...["stop", "tool_calls", "function_call", "end_turn", "tool_use", "stop_sequence", "eos"].map(
    (reason) => [reason, "stop"] as const,
  ),
  ...["length", "max_tokens", "model_length"].map((reason) => [reason, "length"] as const),
]);

/** Names under which endpoints put a model's thoughts beside its answer. */
const FIELDS = ["reasoning_content", "reasoning"] as const;

const MARKED = /^\s*<think>([^]*?)(?:<\/think>|$)/;

/**
 * Returns the length of the thoughts that came with a completion, in characters: beside the answer, as parts of it
 * (Mistral), or marked in its text. 0 for none, or for something that is no completion.
 */
export function readThoughts(body: unknown): number {
  const choice = isRecord(body) && Array.isArray(body["choices"]) ? (body["choices"][0] as unknown) : null;
  const message = isRecord(choice) ? choice["message"] : null;
  if (!isRecord(message)) return 0;
  const beside = FIELDS.map((field) => message[field]).map((text) =>
    typeof text === "string" ? text.length : 0,
  );
  const { content } = message;
  const within = Array.isArray(content)
    ? content.filter((part) => isRecord(part) && part["type"] === "thinking")
    : [];
  const marked = typeof content === "string" ? (MARKED.exec(content)?.[1] ?? "").length : 0;
  return Math.max(...beside, within.length === 0 ? 0 : JSON.stringify(within).length, marked);
}

const OPENING = /^\s*<(think|thinking|thought|reasoning)>/i;
const CLOSING = /<\/(?:think|thinking|thought|reasoning)>/i;

/**
 * Takes off the thoughts that some servers leave at the head of an answer, between tags. A template may have written
 * the opening tag itself, so that the closing one stands alone; text that begins like JSON or XML has none.
 */
export function withoutThoughts(text: string): string {
  const closing = CLOSING.exec(text);
  if (closing === null) return text;
  const isOpened = OPENING.test(text);
  if (!isOpened && /^\s*[{["<`]/.test(text)) return text;
  return text.slice(closing.index + closing[0].length).trimStart();
}

/** More than any model takes; a report beyond it is nonsense. */
const TOKENS_MAX = 100_000_000;
export const CHARACTERS_PER_TOKEN = 4;

const countSchema = z.number().int().min(0).max(TOKENS_MAX);

interface Exchanged {
  readonly charactersIn: number;
  readonly charactersOut: number;
  /** Limit of the answer and its reasoning together, in tokens. Absent: there was none. */
  readonly tokensOutMax?: number;
}

/** Roles, marks between messages and the answer's schema are counted as input, too; in tokens, generously. */
const OVERHEAD_TOKENS = 20_000;

/** A character is four bytes at most, and a token is a byte at least. */
const TOKENS_PER_CHARACTER_MAX = 4;

/** Token counts as reported; estimated where missing or impossible, so that no lie spends everybody's budget. */
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
