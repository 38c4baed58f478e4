import { repeatsName } from "#shared/envelope/json";
import { isRecord, readJson } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { CALLS_MEMBER } from "#shared/model";
import type { RequestedCall } from "#shared/model";
import { firstAid } from "#shared/repair";
import { wasLeftOpen } from "../deliver/read-answer.ts";
import type { Tool } from "./define-tool.ts";

const SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    [CALLS_MEMBER]: {
      type: "array",
      items: {
        type: "object",
        properties: { name: { type: "string" }, arguments: { type: "object" } },
        required: ["name", "arguments"],
      },
    },
  },
  required: [CALLS_MEMBER],
  additionalProperties: false,
};

/** Calls of one answer that are read, as with endpoints that take tools. */
const CALLS_READ_MAX = 64;

/**
 * Reads the calls of an answer in the prompt protocol: the whole answer is one JSON object with its calls and nothing
 * else, after first aid. Words beside it, or an answer that only mentions a call or was left open, are no calls.
 */
export function readPromptCalls(text: string): RequestedCall[] {
  if (!text.includes(CALLS_MEMBER)) return [];
  const read = firstAid(text, SCHEMA);
  if (!read.ok || !isRecord(read.value) || wasLeftOpen(read.notes)) return [];
  const calls = read.value[CALLS_MEMBER];
  if (!Array.isArray(calls)) return [];
  return calls.slice(0, CALLS_READ_MAX).flatMap((call: unknown) => {
    if (!isRecord(call) || typeof call["name"] !== "string") return [];
    return [{ name: call["name"], arguments: JSON.stringify(call["arguments"] ?? {}) }];
  });
}

/** Longer arguments are refused: people may have to read them. */
const ARGUMENTS_CHARACTERS_MAX = 32_768;

/** Steps of first aid for one call's arguments: some 20 ms. */
const WORK_MAX = 1_000_000;

/** Levels of JSON written as a JSON string. */
const STRINGS_DEEP_MAX = 4;

/**
 * Returns a call with its arguments mended by first aid under the tool's schema: written twice as JSON, fenced, in
 * other quotes, a number as text. They stay as they are where first aid refuses, or would complete what was cut, or
 * leave out or add a part: what is done in the world has to be what the model wrote.
 */
export function mendCall(call: RequestedCall, tools: readonly Tool[]): RequestedCall {
  const tool = tools.find(({ name }) => name === call.name);
  return tool === undefined ? call : { ...call, arguments: mend(call.arguments, tool) };
}

function mend(text: string, { jsonSchema }: Tool): string {
  if (text.length > ARGUMENTS_CHARACTERS_MAX) return text;
  const inner = unquoted(text);
  if (endsWithin(inner)) return inner;
  const aided = firstAid(inner, jsonSchema, { workMax: WORK_MAX });
  if (!aided.ok || !isRecord(aided.value) || wasLeftOpen(aided.notes)) return inner;
  // Valid ones keep their bytes.
  if (aided.notes.length === 0) return inner;
  const mended = JSON.stringify(aided.value);
  return hasSameParts(inner, mended) ? mended : inner;
}

/** Reads arguments: one JSON object in which no name stands twice. None at all is the empty object. */
export function readArguments(text: string): Readonly<Record<string, unknown>> | undefined {
  if (text.trim() === "") return {};
  if (text.length > ARGUMENTS_CHARACTERS_MAX) return undefined;
  const value = readJson(text);
  return isRecord(value) && !repeatsName(text, value) ? value : undefined;
}

function unquoted(text: string): string {
  let inner = text;
  for (let times = 0; times < STRINGS_DEEP_MAX; times += 1) {
    const value = readJson(inner);
    if (typeof value !== "string") break;
    inner = value;
  }
  return inner;
}

/** Returns true for a beginning of JSON: it ends in a string, or before a bracket's other half. */
function endsWithin(text: string): boolean {
  const tokens = text.match(/"(?:[^"\\]|\\[^])*"?|[[\]{}]/g) ?? [];
  let depth = 0;
  for (const token of tokens) {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    else if (token.length === 1 || !token.endsWith('"')) return true;
  }
  return depth !== 0;
}

/** Returns true where the mended form has each word, number and bracket of a text as often, and no other. */
function hasSameParts(text: string, mended: string): boolean {
  return partsOf(text.replaceAll(/^\s*```\w*\s*$/gm, "")) === partsOf(mended);
}

/** Parts of JSON, or what was meant to be, whatever their order. */
function partsOf(text: string): string {
  const decoded = text.replaceAll(/\\+(?:u([0-9a-f]{4})|[nrtbf])/gi, (_, hex: string | undefined) =>
    hex === undefined ? " " : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const parts = decoded.toLowerCase().match(/[\p{L}\p{M}\p{N}_]+|[[\]{}]/gu) ?? [];
  return parts.toSorted().join(" ");
}
