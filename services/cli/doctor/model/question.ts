import type { ReasoningEffort } from "#shared/config";
import type { ProbeRequest } from "#shared/model/probe";

/** How a request to a model has to be written for an answer to come at all. */
export interface Ground {
  readonly takesSystem: boolean;
  readonly limit: "max_completion_tokens" | "max_tokens";
}

/** Ways to ask, the usual one first. */
export const GROUNDS: readonly Ground[] = [
  { takesSystem: true, limit: "max_completion_tokens" },
  { takesSystem: true, limit: "max_tokens" },
  { takesSystem: false, limit: "max_completion_tokens" },
  { takesSystem: false, limit: "max_tokens" },
];

const NAME = "doctor_probe";

/** An answer whose names no model gives that was not shown them. */
export const SCHEMA = {
  type: "object",
  properties: { verdict_word: { type: "string" }, letter_count: { type: "integer" } },
  required: ["verdict_word", "letter_count"],
  additionalProperties: false,
} as const;

const TASK = "Take the word in the input, and count its letters.";
const SPELLED_OUT = `${TASK}\n\nAnswer with JSON of this schema and nothing else:\n${JSON.stringify(SCHEMA)}`;
const INPUT = JSON.stringify({ word: "ready" });
/** Tokens that an answer may have: enough for some reasoning, little enough to cost little. */
const TOKENS_MAX = 2048;

function ask({ takesSystem, limit }: Ground, instructions: string): ProbeRequest {
  const messages: ProbeRequest["messages"] = takesSystem
    ? [
        { role: "system", content: instructions },
        { role: "user", content: INPUT },
      ]
    : [{ role: "user", content: `${instructions}\n\n${INPUT}` }];
  return { messages, [limit]: TOKENS_MAX };
}

/** Asks by the prompt alone. */
export function askPlainly(ground: Ground): ProbeRequest {
  return ask(ground, SPELLED_OUT);
}

/** Returns a request for each feature; where a schema is a field of the request, no word of it is in the prompt. */
export function questionsFor(ground: Ground, effort: ReasoningEffort) {
  const bySchema = (strict: boolean): ProbeRequest => ({
    ...ask(ground, TASK),
    response_format: { type: "json_schema", json_schema: { name: NAME, strict, schema: SCHEMA } },
  });
  const byTool: ProbeRequest = {
    ...ask(ground, TASK),
    tools: [{ type: "function", function: { name: NAME, parameters: SCHEMA } }],
    tool_choice: { type: "function", function: { name: NAME } },
  };
  return {
    "strict schema": bySchema(true),
    "loose schema": bySchema(false),
    "JSON mode": { ...askPlainly(ground), response_format: { type: "json_object" } },
    "tool call": byTool,
    reasoning_effort: { ...askPlainly(ground), reasoning_effort: effort },
    streaming: askPlainly(ground),
  } satisfies Readonly<Record<string, ProbeRequest>>;
}
