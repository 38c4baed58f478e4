import type { JsonSchema } from "#shared/json";
import { isRecord } from "#shared/json";

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
    return acceptsNull(property) ? [[key, null]] : [];
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

function acceptsNull({ anyOf }: JsonSchema): boolean {
  return Array.isArray(anyOf) && anyOf.some((branch) => isRecord(branch) && branch["type"] === "null");
}
