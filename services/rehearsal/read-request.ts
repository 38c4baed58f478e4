import { z } from "zod";
import type { JsonSchema } from "#shared/contract";
import { TOKENS_PER_IMAGE } from "#shared/model";
import type { ModelImage } from "#shared/model";

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
  /** Pictures of the message that holds the input. */
  readonly images: readonly ModelImage[];
  /** Characters of all messages, for the usage; a picture counts by its tokens. */
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
  const texts = data.messages.map(({ role, content }) => ({
    role,
    text: readContent(content),
    images: readImages(content),
  }));
  const asked = texts.filter((message) => message.role === "user").toReversed();
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

/** Pictures travel as data URLs; what is none is left out, as a model that cannot fetch would. */
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
