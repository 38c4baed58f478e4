import type { ProbeRequest } from "#shared/model/probe";

/** What is known of a model so far: how a request to it is written. */
export interface Ground {
  readonly takesSystem: boolean;
  readonly limit: "max_completion_tokens" | "max_tokens" | null;
}

const NAME = "doctor_probe";

/** An answer whose names no model gives that was not shown them. */
export const SCHEMA = {
  type: "object",
  properties: { verdict_word: { type: "string" }, letter_count: { type: "integer" } },
  required: ["verdict_word", "letter_count"],
  additionalProperties: false,
} as const;

const TASK = "Take the word in the input, and count its letters.";
export const SPELLED_OUT = `${TASK}\n\nAnswer with JSON of this schema and nothing else:\n${JSON.stringify(SCHEMA)}`;

/** Long enough for the caches of providers, which begin at 1,024 tokens. */
const LONG = Array.from(
  { length: 120 },
  (_, line) => `Rule ${line + 1}: count the letters of the word and nothing else in the input.`,
).join("\n");

/** Tokens that an answer may have: enough for some reasoning, little enough to cost little. */
const TOKENS_MAX = 2048;
/** A bound that the answer to `COUNT` exceeds. */
export const SHORT_TOKENS = 16;

const INPUT = { word: "ready" };
const COUNT = { word: "ready", behind: "Write the numbers from 1 to 100 behind the word." };

type Messages = ProbeRequest["messages"];

function messages({ takesSystem }: Ground, instructions: string, input: object): Messages {
  const content = JSON.stringify(input);
  return takesSystem
    ? [
        { role: "system", content: instructions },
        { role: "user", content },
      ]
    : [{ role: "user", content: `${instructions}\n\n${content}` }];
}

function bounded({ limit }: Ground): Partial<ProbeRequest> {
  return limit === null ? {} : { [limit]: TOKENS_MAX };
}

/** Asks by the prompt alone. */
export function askPlainly(ground: Ground): ProbeRequest {
  return { messages: messages(ground, SPELLED_OUT, INPUT), ...bounded(ground) };
}

/** Asks for more than a bound allows. */
export function askBeyond(ground: Ground, limit: "max_completion_tokens" | "max_tokens"): ProbeRequest {
  return { messages: messages(ground, SPELLED_OUT, COUNT), [limit]: SHORT_TOKENS };
}

/** Asks by a schema that is nowhere in words. */
export function askBySchema(ground: Ground, strict: boolean): ProbeRequest {
  return {
    messages: messages(ground, TASK, INPUT),
    response_format: { type: "json_schema", json_schema: { name: NAME, strict, schema: SCHEMA } },
    ...bounded(ground),
  };
}

export function askInJsonMode(ground: Ground): ProbeRequest {
  return { ...askPlainly(ground), response_format: { type: "json_object" } };
}

export function askByTool(ground: Ground): ProbeRequest {
  return {
    messages: messages(ground, TASK, INPUT),
    tools: [{ type: "function", function: { name: NAME, parameters: SCHEMA } }],
    tool_choice: { type: "function", function: { name: NAME } },
    ...bounded(ground),
  };
}

/** A grey square of 32 pixels a side, as PNG. */
const GREY_SQUARE =
  "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAAAAABWESUoAAAAFklEQVR42mNoIAAYRhWMKhhVMFIVAABCAAAfN5c2AAAAAABJ" +
  "RU5ErkJggg==";

export function askWithPicture(ground: Ground): ProbeRequest {
  const asked = messages(ground, SPELLED_OUT, INPUT);
  const last = asked.at(-1)?.content;
  const text = typeof last === "string" ? last : "";
  const url = `data:image/png;base64,${GREY_SQUARE}`;
  const content = [
    { type: "text" as const, text },
    { type: "image_url" as const, image_url: { url } },
  ];
  return { messages: [...asked.slice(0, -1), { role: "user", content }], ...bounded(ground) };
}

/** Asks behind a long prefix that is the same each time, as agents do. */
export function askAtLength(ground: Ground, word: string, isStrict: boolean): ProbeRequest {
  const form = isStrict ? askBySchema(ground, true) : askPlainly(ground);
  const instructions = `${isStrict ? TASK : SPELLED_OUT}\n\n${LONG}`;
  return { ...form, messages: messages(ground, instructions, { word }) };
}
