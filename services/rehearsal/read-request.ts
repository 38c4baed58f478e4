import { z } from "zod";
import type { JsonSchema } from "#shared/contract";

const contentSchema = z.union([z.string(), z.array(z.object({ text: z.string().optional() }))]).nullish();

const requestSchema = z.object({
  model: z.string().min(1).max(200),
  messages: z
    .array(z.object({ role: z.string(), content: contentSchema }))
    .min(1)
    .max(2_000),
  stream: z.boolean().nullish(),
  max_completion_tokens: z.number().int().positive().nullish(),
  response_format: z
    .object({
      type: z.string(),
      json_schema: z
        .object({ strict: z.boolean().nullish(), schema: z.record(z.string(), z.unknown()).optional() })
        .optional(),
    })
    .nullish(),
});

/** A chat completion request, reduced to what a stand-in and the faults need. */
export interface RehearsalRequest {
  readonly model: string;
  /** Text of the message that holds the step's input as JSON. */
  readonly inputText: string;
  readonly input: unknown;
  /** True when the model is asked again about the same input. */
  readonly isReask: boolean;
  /** Schema of the answer; null when the request names none. */
  readonly schema: JsonSchema | null;
  readonly isStrict: boolean;
  /** Characters of all messages, for the usage. */
  readonly characters: number;
  readonly tokensMax: number | null;
}

/** Why a request cannot be rehearsed. */
export type Unreadable = "malformed" | "streaming" | "no_json_input";

/**
 * Reads a request. The step's input is the last user message that is JSON: on a re-ask a message in prose follows it,
 * and earlier turns of a conversation stand before it.
 */
export function readRequest(body: unknown): RehearsalRequest | Unreadable {
  const parsed = requestSchema.safeParse(body);
  if (!parsed.success) return "malformed";
  const { data } = parsed;
  if (data.stream === true) return "streaming";
  const texts = data.messages.map((message) => ({ role: message.role, text: readContent(message.content) }));
  const asked = texts.filter((message) => message.role === "user").toReversed();
  const found = asked
    .map(({ text }) => ({ text, parsed: parseJson(text) }))
    .find((each) => each.parsed !== null);
  if (found === undefined || found.parsed === null) return "no_json_input";
  const format = data.response_format?.json_schema;
  return {
    model: data.model,
    inputText: found.text,
    input: found.parsed.value,
    isReask: asked[0]?.text !== found.text,
    schema: format?.schema ?? null,
    isStrict: format?.strict === true,
    characters: texts.reduce((sum, message) => sum + message.text.length, 0),
    tokensMax: data.max_completion_tokens ?? null,
  };
}

function readContent(content: z.infer<typeof contentSchema>): string {
  return Array.isArray(content) ? content.map((part) => part.text ?? "").join("") : (content ?? "");
}

function parseJson(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}
