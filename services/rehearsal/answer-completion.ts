import type { FastifyReply, FastifyRequest } from "fastify";
import { now, sleep, uuidv7 } from "#shared/clock";
import { StandInCalls } from "#shared/runtime/tools";
import { findStrictFaults, PROBE } from "#shared/model";
import { writeXml } from "#shared/repair";
import type { StandIn, Team } from "#shared/runtime";
import type { JsonSchema } from "#shared/json";
import { isRecord } from "#shared/json";
import { planFault, spoil, seededRandom } from "./faults.ts";
import type { FaultOptions, Outage } from "./faults.ts";
import { readRequest } from "./read-request.ts";
import type { RehearsalRequest, Unreadable } from "./read-request.ts";

const CHARACTERS_PER_TOKEN = 4;
const RETRY_AFTER_S = 1;

interface CompletionOptions extends FaultOptions {
  readonly findStandIn: FindStandIn;
  /** Is told each damaged text with the answer in whose place it is sent. */
  readonly remember: (damaged: string, answer: unknown) => void;
  readonly countAttempt: (key: string, isReask: boolean) => AttemptCount;
  /** Longest hang before the connection is dropped, in milliseconds. */
  readonly hangMsMax: number;
}

const UNREADABLE: Readonly<Record<Unreadable, string>> = {
  malformed: "The request is no chat completion request.",
  streaming: "The rehearsal server does not stream.",
  no_json_input: "No user message holds JSON; the rehearsal server answers from a step's input alone.",
};

/** Answers `POST /v1/chat/completions` from the stand-in that the `x-suture-*` headers name. */
export async function answerCompletion(
  request: FastifyRequest,
  reply: FastifyReply,
  options: CompletionOptions,
): Promise<FastifyReply> {
  const asked = readRequest(request.body);
  if (typeof asked === "string") return sendOpenAiError(reply, 400, [asked, UNREADABLE[asked]]);
  const [broken] = asked.isStrict && asked.schema !== null ? findStrictFaults(asked.schema) : [];
  if (broken !== undefined) {
    const message = `Invalid schema for response_format: at "${broken.path}", ${broken.problem}.`;
    return sendOpenAiError(reply, 400, ["invalid_json_schema", message]);
  }
  const agent = readHeader(request, "x-suture-agent");
  const step = readHeader(request, "x-suture-step");
  const standIn = options.findStandIn(agent, step);
  if (standIn === undefined) {
    const message = "No stand-in answers for this agent and step; declare one in the agent's standIns.";
    return sendOpenAiError(reply, 404, ["stand_in_not_found", message]);
  }
  const { tools } = asked;
  const turns = tools.results.length;
  const key = JSON.stringify([agent, step, asked.inputText, ...(turns === 0 ? [] : [turns])]);
  const count = options.countAttempt(key, asked.isReask);
  // A diagnosis is no rehearsal of trouble.
  const faultRate = agent === PROBE.agent ? 0 : options.faultRate;
  const fault = planFault({ agent, step, inputText: asked.inputText, ...count }, { ...options, faultRate });
  if (fault.kind === "outage") return sendOutage(fault.outage, reply, { asked, options });
  const random = seededRandom("stand-in", options.seed, agent, step, asked.inputText);
  // Safe: the stand-in belongs to the step that made this input.
  const answer = await standIn(asked.input as never, random, asked.images, tools);
  if (answer instanceof StandInCalls && tools.offered.length > 0)
    return reply.send(writeCompletion(asked, { calls: answer.calls }));
  // An answer must be expressible in JSON.
  const value = answer ?? null;
  if (fault.kind === "damage") {
    const text = spoil({ answer: value, schema: asked.schema }, fault);
    options.remember(text, answer);
    return reply.send(writeCompletion(asked, { text }));
  }
  // Only an undamaged answer is sent as XML; damages are defined on JSON.
  if (readHeader(request, "x-suture-answers") === "xml")
    return reply.send(writeCompletion(asked, { text: writeXml(JSON.parse(JSON.stringify(value))) }));
  const whole = asked.isStrict && asked.schema !== null ? fillNulls(value, asked.schema) : value;
  return reply.send(writeCompletion(asked, { text: JSON.stringify(whole) }));
}

/** Our client percent-encodes header values. */
function readHeader({ headers }: FastifyRequest, name: string): string {
  return decodeURIComponent(String(headers[name] ?? ""));
}

interface Said {
  /** Default: none. */
  readonly text?: string;
  readonly refusal?: string;
  readonly calls?: StandInCalls["calls"];
}

function writeCompletion(asked: RehearsalRequest, { text: whole = "", refusal, calls }: Said): object {
  const charactersMax = (asked.tokensMax ?? Infinity) * CHARACTERS_PER_TOKEN;
  const text = whole.slice(0, charactersMax);
  const tool_calls = calls?.map((call, index) => ({
    id: `call_${index}`,
    type: "function",
    function: { name: call.tool, arguments: JSON.stringify(call.arguments) },
  }));
  const written = tool_calls === undefined ? (refusal ?? text) : JSON.stringify(tool_calls);
  const promptTokens = Math.ceil(asked.characters / CHARACTERS_PER_TOKEN);
  const completionTokens = Math.max(1, Math.ceil(written.length / CHARACTERS_PER_TOKEN));
  const isText = refusal === undefined && tool_calls === undefined;
  return {
    id: `chatcmpl-rehearsal-${uuidv7()}`,
    object: "chat.completion",
    created: Math.floor(now() / 1_000),
    model: asked.model.startsWith("rehearsal-") ? asked.model : "rehearsal-worker",
    system_fingerprint: "rehearsal",
    choices: [
      {
        index: 0,
        finish_reason:
          tool_calls !== undefined ? "tool_calls" : text.length < whole.length ? "length" : "stop",
        logprobs: null,
        message: {
          role: "assistant",
          content: isText ? text : null,
          refusal: refusal ?? null,
          ...(tool_calls === undefined ? {} : { tool_calls }),
        },
      },
    ],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  };
}

async function sendOutage(
  outage: Outage,
  reply: FastifyReply,
  { asked, options }: { readonly asked: RehearsalRequest; readonly options: CompletionOptions },
): Promise<FastifyReply> {
  if (outage === "hang") return hang(reply, options.hangMsMax);
  if (outage === "refusal")
    return reply.send(writeCompletion(asked, { refusal: "I'm sorry, but I can't help with that request." }));
  if (outage === "server_error")
    return sendOpenAiError(reply, 500, ["server_error", "The server had an error (rehearsed)."]);
  reply.header("retry-after", String(RETRY_AFTER_S));
  return sendOpenAiError(reply, 429, ["rate_limit_exceeded", "Rate limit reached (rehearsed)."]);
}

/** Sends no response until the client disconnects or the timeout passes, then drops the connection. */
async function hang(reply: FastifyReply, hangMsMax: number): Promise<FastifyReply> {
  const gone = new AbortController();
  reply.request.raw.socket.once("close", () => gone.abort());
  await sleep(hangMsMax, gone.signal).catch(() => undefined);
  reply.hijack();
  reply.request.raw.socket.destroy();
  return reply;
}

/** Finds the stand-in of an agent's step; undefined for none. */
export type FindStandIn = (agent: string, step: string) => StandIn | undefined;

/** Finds stand-ins by agent and step, of the agent's version or else another: during upgrades both are asked. */
export function standInsOf(teams: readonly Team[]): FindStandIn {
  const members = teams.flatMap((team) => [...team.agents.values()]);
  return (agent, step) => {
    const name = agent.replace(/@\d+$/, "");
    const member = members.find((each) => each.id === agent) ?? members.find((each) => each.name === name);
    const standIns = member?.options.standIns;
    return standIns !== undefined && Object.hasOwn(standIns, step) ? standIns[step] : undefined;
  };
}

/** Answers with an error the way OpenAI's endpoint writes one. */
export function sendOpenAiError(
  reply: FastifyReply,
  status: number,
  [code, message]: readonly [code: string, message: string],
): FastifyReply {
  const type = status >= 500 ? "server_error" : status === 429 ? "rate_limit_error" : "invalid_request_error";
  return reply.code(status).send({ error: { message, type, param: null, code } });
}

interface AttemptCount {
  readonly attempt: number;
  readonly reask: number;
}

/** Keys that are counted; of more, the most recently used. */
const KEYS_MAX = 50_000;

/** Counts by key. */
export function createAttemptCounter(): (key: string, isReask: boolean) => AttemptCount {
  const counts = new Map<string, AttemptCount>();
  return (key, isReask) => {
    const before = counts.get(key) ?? { attempt: isReask ? 1 : 0, reask: 0 };
    const count = isReask
      ? { attempt: before.attempt, reask: before.reask + 1 }
      : { attempt: before.attempt + 1, reask: 0 };
    // Reinserting moves the key to the end, so the first key is the least recently used.
    counts.delete(key);
    counts.set(key, count);
    const [oldest] = counts.keys();
    if (counts.size > KEYS_MAX && oldest !== undefined) counts.delete(oldest);
    return count;
  };
}

/** Sets missing properties that strict mode requires to null, as an endpoint that enforces the schema does. */
export function fillNulls(answer: unknown, schema: JsonSchema, depth = 0): unknown {
  if (depth > 10) return answer;
  if (Array.isArray(answer)) {
    const { items } = schema;
    return isRecord(items) ? answer.map((item) => fillNulls(item, items, depth + 1)) : answer;
  }
  const { properties, anyOf } = schema;
  if (Array.isArray(anyOf)) {
    const branch = anyOf.filter(isRecord).find((one) => isMeant(answer, one));
    return branch === undefined ? answer : fillNulls(answer, branch, depth + 1);
  }
  if (!isRecord(answer) || !isRecord(properties)) return answer;
  const filled = Object.entries(properties).flatMap(([key, property]): [string, unknown][] => {
    if (!isRecord(property)) return [];
    if (Object.hasOwn(answer, key)) return [[key, fillNulls(answer[key], property, depth + 1)]];
    const branches = Array.isArray(property["anyOf"]) ? property["anyOf"] : [];
    return branches.some((branch) => isRecord(branch) && branch["type"] === "null") ? [[key, null]] : [];
  });
  return { ...answer, ...Object.fromEntries(filled) };
}

/** Returns true for the branch of a union whose properties the answer has, with the members that it fixes. */
function isMeant(answer: unknown, { type, properties }: JsonSchema): boolean {
  if (Array.isArray(answer)) return type === "array";
  if (!isRecord(answer) || !isRecord(properties)) return false;
  return Object.entries(answer).every(([key, value]) => {
    const property = properties[key];
    if (!isRecord(property)) return false;
    return !Array.isArray(property["enum"]) || property["enum"].includes(value);
  });
}
