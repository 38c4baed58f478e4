import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources";
import {
  mergeRoles,
  offerTools,
  toImageParts,
  toolInstructions,
  toResultsMessage,
  toToolMessages,
} from "./messages.ts";
import type { IllustratedMessage, Message } from "./messages.ts";
import type { ModelCall } from "./model-client.ts";
import { FULL_FORM } from "./request-form.ts";
import type { AnswerMode, RequestForm } from "./request-form.ts";
import { toStrictSchema } from "./strict-schema.ts";
import type { StrictSchema } from "./strict-schema.ts";

/** Characters of an unusable answer that the model is shown again. */
const PREVIOUS_ANSWER_CHARACTERS_MAX = 32_000;

/** A request as the endpoint takes it. */
export interface BuiltRequest {
  readonly body: Omit<ChatCompletionCreateParamsNonStreaming, "stream"> & { readonly stream?: boolean };
}

/** Writes a call as a chat completion. Pure. @param form - What the endpoint takes. Default: everything. */
export function buildRequest(call: ModelCall, model: string, form: RequestForm = FULL_FORM): BuiltRequest {
  const answer = toStrictSchema(call.jsonSchema);
  const isJson = call.answersIn !== "xml";
  // Endpoints refuse the schema of an answer that is no object: the instructions carry it instead.
  const isObject = answer.schema["type"] === "object";
  const isSpelledOut = isJson && (form.isSpelledOut || !isObject);
  const { tools = [] } = call;
  const offers = tools.length > 0 && form.toolsBy === "calls";
  const told = withToolNote(call, form);
  const messages = buildMessages(offers ? { ...told, exchange: [] } : told, isSpelledOut ? answer : null);
  return {
    body: {
      model,
      messages: [
        ...(form.takesSystem ? messages : mergeRoles(messages)),
        ...(offers ? toToolMessages(call.exchange ?? []) : []),
      ],
      ...(isJson && isObject ? askForForm(sanitizeName(call.schemaName), answer, form.mode) : {}),
      ...(offers ? offerTools(tools, form) : {}),
      ...(call.tokensMax === undefined || form.limit === null ? {} : { [form.limit]: call.tokensMax }),
      ...(call.effort === undefined || !form.takesEffort ? {} : { reasoning_effort: call.effort }),
      ...(call.temperature === undefined || !form.takesTemperature ? {} : { temperature: call.temperature }),
    },
  };
}

function withToolNote(call: ModelCall, { toolsBy }: RequestForm): ModelCall {
  const { instructions, tools = [], exchange = [] } = call;
  if (tools.length === 0 && exchange.length === 0) return call;
  return { ...call, instructions: `${instructions}\n\n${toolInstructions(tools, toolsBy)}` };
}

type FormOfAnswer = Pick<ChatCompletionCreateParamsNonStreaming, "response_format" | "tools" | "tool_choice">;

function askForForm(name: string, { strict, schema }: StrictSchema, mode: AnswerMode): FormOfAnswer {
  switch (mode) {
    case "schema":
      return {
        response_format: { type: "json_schema", json_schema: { name, strict, schema: { ...schema } } },
      };
    case "json_mode":
      return { response_format: { type: "json_object" } };
    case "tool_call":
      return {
        tools: [{ type: "function", function: { name, parameters: { ...schema } } }],
        tool_choice: { type: "function", function: { name } },
      };
    case "prompt":
      return {};
    default:
      return mode satisfies never;
  }
}

/** A name as endpoints take it: letters, digits, `_` and `-`, 1 to 64 of them. */
export function sanitizeName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "answer";
}

function buildMessages(call: ModelCall, spelledOut: StrictSchema | null): (Message | IllustratedMessage)[] {
  const { images = [] } = call;
  const messages = buildTexts(call, spelledOut);
  if (images.length === 0) return messages;
  const at = 1 + (call.history?.length ?? 0);
  return messages.map((message, index) =>
    index === at
      ? { role: "user", content: [{ type: "text", text: message.content }, ...toImageParts(images)] }
      : message,
  );
}

function buildTexts(call: ModelCall, spelledOut: StrictSchema | null): Message[] {
  const system =
    spelledOut === null
      ? call.instructions
      : `${call.instructions}\n\nAnswer with JSON of this schema and nothing else:\n${JSON.stringify(spelledOut.schema)}`;
  const messages: Message[] = [
    { role: "system", content: system },
    ...(call.history ?? []),
    { role: "user", content: call.input },
    ...toResultsMessage(call.exchange ?? []),
    ...reaskMessages(call),
  ];
  // Half a surrogate pair cannot be sent: some endpoints answer 400, which would blame the configuration.
  return messages.map(({ role, content }) => ({ role, content: content.toWellFormed() }));
}

function reaskMessages(call: ModelCall): Message[] {
  if (call.reask === undefined) return [];
  const previous = call.reask.previousAnswer.slice(0, PREVIOUS_ANSWER_CHARACTERS_MAX);
  const problems = `Your answer cannot be used:\n${call.reask.problems}\nAnswer again: the whole ${call.answersIn === "xml" ? "XML" : "JSON"}, corrected, and nothing else.`;
  return [
    // Endpoints refuse an empty turn.
    ...(previous === "" ? [] : [{ role: "assistant", content: previous } satisfies Message]),
    { role: "user", content: problems },
  ];
}
