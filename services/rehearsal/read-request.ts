import { z } from "zod";
import type { JsonSchema } from "#shared/json";
import { TOKENS_PER_IMAGE } from "#shared/model";
import type { ModelImage } from "#shared/model";
import type { StandInTools } from "#shared/runtime/tools";
import { isResults, readTools, toolFields, toolMessageFields } from "./read-tools.ts";

/** At four characters a token. */
const IMAGE_CHARACTERS = TOKENS_PER_IMAGE * 4;

const partSchema = z.object({
  text: z.string().optional(),
  image_url: z.object({ url: z.string() }).optional(),
});
const contentSchema = z.union([z.string(), z.array(partSchema)]).nullish();

const requestSchema = z.object({
  model: z.string().min(1).max(200),
  messages: z
    .array(z.object({ role: z.string(), content: contentSchema, ...toolMessageFields }))
    .min(1)
    .max(2_000),
  stream: z.boolean().nullish(),
  ...toolFields,
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

/** A chat completion request, reduced to what stand-ins and faults use. */
export interface RehearsalRequest {
  readonly model: string;
  /** Text of the message with the step's input as JSON. */
  readonly inputText: string;
  readonly input: unknown;
  /** True for a re-ask about the same input. */
  readonly isReask: boolean;
  /** Schema of the answer; null for none. */
  readonly schema: JsonSchema | null;
  readonly isStrict: boolean;
  /** Images of that message. */
  readonly images: readonly ModelImage[];
  /** Tools on offer, and what earlier calls gave. */
  readonly tools: StandInTools;
  /** Characters of all messages, for the usage; an image counts by its tokens. */
  readonly characters: number;
  readonly tokensMax: number | null;
}

/** Why a request has no rehearsal. */
export type Unreadable = "malformed" | "streaming" | "no_json_input";

/**
 * Reads a request. The step's input is the last user message that is JSON: a re-ask adds prose after it, and earlier
 * turns come before it.
 */
export function readRequest(body: unknown): RehearsalRequest | Unreadable {
  const parsed = requestSchema.safeParse(body);
  if (!parsed.success) return "malformed";
  const { data } = parsed;
  if (data.stream === true) return "streaming";
  const texts = data.messages.map(({ role, content, tool_call_id, tool_calls }) => ({
    role,
    tool_call_id,
    tool_calls,
    text: readContent(content),
    images: readImages(content),
  }));
  const asked = texts
    .filter(({ role, text }) => role === "user" && !isResults(parseJson(text)?.value))
    .toReversed();
  const found = asked
    .map(({ text, images }) => ({ text, images, parsed: parseJson(text) }))
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
    images: found.images,
    tools: readTools(data, texts),
    characters: texts.reduce(
      (sum, { text, images }) => sum + text.length + images.length * IMAGE_CHARACTERS,
      0,
    ),
    tokensMax: data.max_completion_tokens ?? null,
  };
}

function readContent(content: z.infer<typeof contentSchema>): string {
  return Array.isArray(content) ? content.map((part) => part.text ?? "").join("") : (content ?? "");
}

/** Reads images sent as data URLs; skips others, which a model could not fetch either. */
function readImages(content: z.infer<typeof contentSchema>): ModelImage[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap(({ image_url: image }) => {
    const found = /^data:(image\/png|image\/jpeg);base64,/.exec(image?.url ?? "");
    if (image === undefined || found === null) return [];
    const mimeType = found[1] === "image/png" ? "image/png" : "image/jpeg";
    return [{ mimeType, bytes: Buffer.from(image.url.slice(found[0].length), "base64") }];
  });
}

function parseJson(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}
