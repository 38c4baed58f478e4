import type { JsonSchema } from "#shared/contract";
import { isRecord } from "./faults/damage.ts";

/** Gives every property that strict mode requires and the stand-in left out a null, as an enforcing endpoint does. */
export function fillNulls(answer: unknown, schema: JsonSchema, depth = 0): unknown {
  if (depth > 10) return answer;
  if (Array.isArray(answer)) {
    const { items } = schema;
    return isRecord(items) ? answer.map((item) => fillNulls(item, items, depth + 1)) : answer;
  }
  const { properties } = schema;
  if (!isRecord(answer) || !isRecord(properties)) return answer;
  const filled = Object.entries(properties).flatMap(([key, property]): [string, unknown][] => {
    if (!isRecord(property)) return [];
    if (Object.hasOwn(answer, key)) return [[key, fillNulls(answer[key], property, depth + 1)]];
    return acceptsNull(property) ? [[key, null]] : [];
  });
  return { ...answer, ...Object.fromEntries(filled) };
}

function acceptsNull({ anyOf }: JsonSchema): boolean {
  return Array.isArray(anyOf) && anyOf.some((branch) => isRecord(branch) && branch["type"] === "null");
}
