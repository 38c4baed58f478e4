import type { JsonSchema } from "#shared/contract";
import { membersOf } from "../align/align-enum.ts";
import type { JsonValue } from "../json-value.ts";
import { flatten, schemaList } from "../schema/resolve.ts";

/** The members of an enum, also of one in a nullable union. */
export function enumOf(schema: JsonSchema, root: JsonSchema): JsonValue[] | undefined {
  const own = membersOf(schema);
  if (own !== undefined) return own;
  const parts = [...schemaList(schema["anyOf"]), ...schemaList(schema["oneOf"])].map((part) =>
    flatten(part, root),
  );
  const inner = parts.filter((part) => part["type"] !== "null").map(membersOf);
  return inner.length > 0 && inner.every((one) => one !== undefined) ? inner.flat() : undefined;
}
