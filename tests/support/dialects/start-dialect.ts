import type { ServerResponse } from "node:http";
import { isRecord, readJson } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { openHttp, refuseRequest } from "#shared/testing";
import { FIELDS } from "./dialect.ts";
import type { ChatRequest, Dialect, Failure, Field, Reply, Said } from "./dialect.ts";
import { fillNulls } from "../../../services/rehearsal/answer-completion.ts";

/** Returns the answer of a good model to a request. */
export type Think = (request: ChatRequest) => Thought;

/** An endpoint that speaks a dialect. */
export interface DialectEndpoint {
  /** Base URL, `/v1` included. */
  readonly url: string;
  /** Requests that were answered. */
  readonly answered: ChatRequest[];
  /** Refusals of what the dialect does not take. */
  readonly refused: Reply[];
  /** Requests that no provider takes: a fault of the client. */
  readonly faults: object[];
  /** Failure of every request. Null: none fails. */
  failure: Failure | null;
  readonly close: () => void;
}

/** Starts an endpoint on loopback that takes, ignores and refuses what its dialect does. @param think - Its model. */
export async function startDialect(dialect: Dialect, think: Think): Promise<DialectEndpoint> {
  const seen = {
    answered: [] as ChatRequest[],
    refused: [] as Reply[],
    faults: [] as object[],
    // Tests set it; without the words it would be null for good.
    failure: null as Failure | null,
  };
  const prefixes = new Set<string>();

  /** Tokens of a first message that came before: from 1,024 on, in steps of 128, as OpenAI documents it. */
  function cachedOf({ messages: [first] }: ChatRequest): number {
    const text = JSON.stringify(first?.content ?? "");
    const tokens = Math.floor(text.length / 4 / 128) * 128;
    const isKnown = prefixes.has(text);
    prefixes.add(text);
    return isKnown && tokens >= 1024 ? tokens : 0;
  }

  function reply(text: string): Reply {
    const body: unknown = JSON.parse(text);
    const fault = refuseRequest(body);
    if (fault !== null) {
      seen.faults.push(fault);
      return { status: 400, body: fault };
    }
    const failure = seen.failure === null ? null : dialect.failures[seen.failure];
    if (failure !== null) return failure;
    // Checked above.
    const asked = body as ChatRequest;
    const refusal = refusalOf(dialect, asked);
    if (refusal !== null) {
      seen.refused.push(refusal);
      return refusal;
    }
    seen.answered.push(asked);
    const said = speak(dialect, asked, think(asked), cachedOf(asked));
    const { headers } = dialect;
    const wrapped = dialect.wrap(said);
    if (asked.stream !== true || dialect.fields.stream === "ignores")
      return { status: 200, body: wrapped, ...(headers && { headers }) };
    // Every dialect writes a body of this form.
    const events = streamAnswer(wrapped as WrappedBody, asked, dialect.streamsUsage ?? false);
    return { status: 200, body: events, headers: { ...headers, "content-type": "text/event-stream" } };
  }

  const { url, close } = await openHttp((_request, response, text) => send(response, reply(text)));
  return Object.assign(seen, { url: `${url}/v1`, close });
}

function refusalOf(dialect: Dialect, request: ChatRequest): Reply | null {
  for (const field of FIELDS) {
    const treatment = dialect.fields[field];
    if (!has(request, field) || typeof treatment !== "function") continue;
    const refusal = treatment(request);
    if (refusal !== null) return refusal;
  }
  return null;
}

function send(response: ServerResponse, { status, body, headers = {} }: Reply): void {
  const isText = typeof body === "string";
  response.writeHead(status, { "content-type": isText ? "text/plain" : "application/json", ...headers });
  response.end(isText ? body : JSON.stringify(body));
}

/** A model's turn: its answer, as JSON or XML, or the tools that it would call before. */
type Thought = string | { readonly calls: readonly { readonly name: string; readonly arguments: unknown }[] };

const CHARACTERS_PER_TOKEN = 4;
const REASONING = 'The user wants JSON. A draft: {"verdict": "unsure"}. Let me write the whole of it.';

/** Returns true for a field that a request has and its endpoint reads. */
function isRead(dialect: Dialect, request: ChatRequest, field: Field): boolean {
  return has(request, field) && dialect.fields[field] !== "ignores";
}

function has(request: ChatRequest, field: Field): boolean {
  if (field === "json_schema" || field === "json_object") return request.response_format?.type === field;
  if (field === "system") return request.messages.some(({ role }) => role === "system");
  if (field === "images") return request.messages.some(({ content }) => Array.isArray(content));
  return request[field] !== undefined;
}

/** Says a good answer as a model behind an endpoint does: by schema, tool, JSON, fence, or else prose. */
function speak(dialect: Dialect, request: ChatRequest, good: Thought, cachedTokens = 0): Said {
  const { text, toolCalls } =
    typeof good === "string" ? formOf(dialect, request, good) : callIn(dialect, request, good);
  const hasChosen = typeof good !== "string" && toolCalls.length > 0;
  const whole = text ?? JSON.stringify(toolCalls);
  const limit = isRead(dialect, request, "max_completion_tokens")
    ? request.max_completion_tokens
    : isRead(dialect, request, "max_tokens")
      ? request.max_tokens
      : undefined;
  const { reasoningTokens = 0 } = dialect;
  const reasoned = Math.min(reasoningTokens, limit ?? Infinity);
  const kept = whole.slice(0, ((limit ?? Infinity) - reasoned) * CHARACTERS_PER_TOKEN);
  return {
    model: request.model,
    text: text === null ? null : kept,
    toolCalls,
    hasChosen,
    reasoning: REASONING,
    isCutOff: kept.length < whole.length,
    promptTokens: Math.ceil(JSON.stringify(request.messages).length / CHARACTERS_PER_TOKEN),
    completionTokens: Math.max(1, reasoned + Math.ceil(kept.length / CHARACTERS_PER_TOKEN)),
    reasoningTokens: reasoned,
    cachedTokens,
  };
}

type Form = Pick<Said, "text" | "toolCalls">;

/** Calls tools where some are on offer; else in the form that the instructions ask for, in a fence among words. */
function callIn(dialect: Dialect, request: ChatRequest, { calls }: Exclude<Thought, string>): Form {
  if (request.tools !== undefined && isRead(dialect, request, "tools"))
    return {
      text: null,
      toolCalls: calls.map((call) => ({ name: call.name, arguments: JSON.stringify(call.arguments) })),
    };
  const text = JSON.stringify({ tool_calls: calls }, null, 2);
  return { text: `\`\`\`json\n${text}\n\`\`\``, toolCalls: [] };
}

function formOf(dialect: Dialect, request: ChatRequest, good: string): Form {
  const answer = readJson(good);
  // XML: its form stands in the instructions.
  if (answer === undefined) return { text: good, toolCalls: [] };
  const schema = request.response_format?.json_schema?.schema;
  if (schema !== undefined && isRead(dialect, request, "json_schema"))
    return { text: JSON.stringify(fillNulls(answer, schema)), toolCalls: [] };
  const [tool] = typeof request.tool_choice === "object" ? (request.tools ?? []) : [];
  if (tool !== undefined && isRead(dialect, request, "tools")) {
    const { name, parameters } = tool.function;
    return { text: null, toolCalls: [{ name, arguments: JSON.stringify(fillNulls(answer, parameters)) }] };
  }
  if (!isTold(request)) return { text: "Happy to help! I would go about it step by step.", toolCalls: [] };
  const text = JSON.stringify(answer, null, 2);
  if (isRead(dialect, request, "json_object")) return { text, toolCalls: [] };
  return { text: `Here is what you asked for:\n\n\`\`\`json\n${text}\n\`\`\``, toolCalls: [] };
}

/** Returns true where the instructions end with a schema, or name every field that the schema asks for. */
function isTold({ messages, response_format: format }: ChatRequest): boolean {
  const required = format?.json_schema?.schema["required"];
  const names = Array.isArray(required) ? required.map(String) : [];
  const instructions = messages
    .slice(0, 1)
    .flatMap(({ content }) => (Array.isArray(content) ? content : [{ text: content }]))
    .map(({ text }: { readonly text?: unknown }) => (typeof text === "string" ? text : ""))
    .join("\n");
  const isNamed = names.length > 0 && names.every((name) => instructions.includes(`\`${name}\``));
  return isNamed || instructions.split("\n").some((line) => isSchema(readJson(line)));
}

function isSchema(value: unknown): value is JsonSchema {
  return isRecord(value) && ["type", "anyOf", "$ref"].some((keyword) => keyword in value);
}

interface Message {
  readonly content?: string | null | readonly object[];
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

/** A body as every dialect writes it. */
interface WrappedBody {
  readonly choices: readonly { readonly finish_reason: string; readonly message: Message }[];
  readonly usage?: object;
}

/** Writes a body as server-sent events. @param reportsUsage - The endpoint reports tokens unasked. */
function streamAnswer(wrapped: WrappedBody, request: ChatRequest, reportsUsage: boolean): string {
  const { choices, usage, ...about } = wrapped;
  const [choice] = choices;
  const { content, tool_calls: calls = [], ...fields } = choice?.message ?? {};
  const texts = Object.entries(fields).filter(([name, text]) => name !== "role" && typeof text === "string");
  const deltas: object[] = [
    { role: "assistant", content: "" },
    ...texts.flatMap(([name, text]) => piecesOf(text).map((piece) => ({ [name]: piece }))),
    ...(typeof content === "string" ? piecesOf(content) : (content ?? []).map((part) => [part])).map(
      (piece) => ({
        content: piece,
      }),
    ),
    ...calls.flatMap(({ function: { name, arguments: text }, ...call }, index) => [
      { tool_calls: [{ index, ...call, function: { name, arguments: "" } }] },
      ...piecesOf(text).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
  ];
  const isAsked = reportsUsage || request.stream_options?.include_usage === true;
  const chunks = [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: choice?.finish_reason }] },
    ...(isAsked ? [{ choices: [], usage }] : []),
  ].map((chunk) => ({ ...about, object: "chat.completion.chunk", ...chunk }));
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`;
}

function piecesOf(text: unknown): readonly string[] {
  return typeof text === "string" ? (text.match(/[^]{1,12}/g) ?? []) : [];
}
