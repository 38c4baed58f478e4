import { z } from "zod";
import { isRecord, readJson } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { RESULTS_MEMBER, TOKENS_PER_IMAGE } from "#shared/model";
import type { ModelImage } from "#shared/model";
import type { StandInTools } from "#shared/runtime/tools";

/** At four characters a token. */
const IMAGE_CHARACTERS = TOKENS_PER_IMAGE * 4;

const contentSchema = z
  .union([
    z.string(),
    z.array(
      z.object({
        text: z.string().optional(),
        image_url: z.object({ url: z.string() }).optional(),
      }),
    ),
  ])
  .nullish();

const callSchema = z.object({
  id: z.string(),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

const requestSchema = z.object({
  model: z.string().min(1).max(200),
  messages: z
    .array(
      z.object({
        role: z.string(),
        content: contentSchema,
        tool_call_id: z.string().nullish(),
        tool_calls: z.array(callSchema).nullish(),
      }),
    )
    .min(1)
    .max(2_000),
  stream: z.boolean().nullish(),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).nullish(),
  tool_choice: z.unknown().optional(),
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

/** Results of tools as a message of the user, for models that take no calls. */
const resultsSchema = z.strictObject({
  [RESULTS_MEMBER]: z.array(z.object({ name: z.string(), arguments: z.string(), result: z.string() })),
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

/** Reason for which a request has no rehearsal. */
export type Unreadable = "malformed" | "streaming" | "no_json_input";

/** Reads a request. The step's input is the last user message that is JSON: a re-ask adds prose behind it. */
export function readRequest(body: unknown): RehearsalRequest | Unreadable {
  const parsed = requestSchema.safeParse(body);
  if (!parsed.success) return "malformed";
  const { data } = parsed;
  if (data.stream === true) return "streaming";
  const messages = data.messages.map(({ content, ...message }): Message => {
    const parts = typeof content === "string" ? [{ text: content }] : (content ?? []);
    const text = parts.map((part) => part.text ?? "").join("");
    const images = parts.flatMap((part) => ("image_url" in part ? readImage(part.image_url?.url ?? "") : []));
    return { ...message, text, images };
  });
  const asked = messages
    .filter(({ role, text }) => role === "user" && !resultsSchema.safeParse(readJson(text)).success)
    .toReversed();
  const found = asked.find(({ text }) => readJson(text) !== undefined);
  if (found === undefined) return "no_json_input";
  const format = data.response_format?.json_schema;
  return {
    model: data.model,
    inputText: found.text,
    input: readJson(found.text),
    isReask: asked[0]?.text !== found.text,
    schema: format?.schema ?? null,
    isStrict: format?.strict === true,
    images: found.images,
    tools: readTools(data, messages),
    characters: messages.reduce(
      (sum, { text, images }) => sum + text.length + images.length * IMAGE_CHARACTERS,
      0,
    ),
    tokensMax: data.max_completion_tokens ?? null,
  };
}

type Asked = z.output<typeof requestSchema>;

interface Message extends Omit<Asked["messages"][number], "content"> {
  readonly text: string;
  readonly images: readonly ModelImage[];
}

/** Reads an image sent as a data URL; skips another, which a model could not fetch either. */
function readImage(url: string): ModelImage[] {
  const found = /^data:(image\/png|image\/jpeg);base64,/.exec(url);
  if (found === null) return [];
  const mimeType = found[1] === "image/png" ? "image/png" : "image/jpeg";
  return [{ mimeType, bytes: Buffer.from(url.slice(found[0].length), "base64") }];
}

/** Reads what a stand-in is told of the tools of its step, from turns with calls or from a message with results. */
function readTools(request: Asked, messages: readonly Message[]): StandInTools {
  const isOffered = !isRecord(request.tool_choice) && request.tool_choice !== "none";
  const calls = new Map(messages.flatMap(({ tool_calls: own }) => own ?? []).map((call) => [call.id, call]));
  const results = messages.flatMap(({ role, text, tool_call_id: id }) => {
    const call = role === "tool" ? calls.get(id ?? "") : undefined;
    if (call !== undefined) return [toResult({ ...call.function, result: text })];
    const told = role === "user" ? resultsSchema.safeParse(readJson(text)) : undefined;
    return told?.success === true ? told.data[RESULTS_MEMBER].map(toResult) : [];
  });
  return { offered: isOffered ? (request.tools ?? []).map((tool) => tool.function.name) : [], results };
}

function toResult(told: { readonly name: string; readonly arguments: string; readonly result: string }) {
  return {
    tool: told.name,
    arguments: readJson(told.arguments) ?? null,
    outcome: readJson(told.result) ?? null,
  };
}
