import { isRecord } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { CALLS_MEMBER } from "#shared/model";
import type { RequestedCall } from "#shared/model";
import { firstAid } from "#shared/repair";
import { wasLeftOpen } from "../deliver/higher-token-limit.ts";

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
