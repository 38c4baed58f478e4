import { z } from "zod";
import type { JsonSchema } from "#shared/json";

/** A JSON Schema of an object. */
export interface ObjectSchema extends JsonSchema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** Returns the JSON Schema of a part of an operation, without references, for its sender or its reader. */
export function toJsonSchema(schema: z.ZodType, io: "input" | "output"): ObjectSchema {
  // Own metadata only: the registry that zod shares across a process also holds the marks of contracts.
  const text = JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: "any" }));
  const { $schema: _, $defs: _defs, ...rest } = JSON.parse(text, withoutRefs) as ObjectSchema;
  return rest;
}

/** Only `z.json()` refers to itself; it allows any value. */
function withoutRefs(_key: string, value: unknown): unknown {
  return typeof value === "object" && value !== null && "$ref" in value ? {} : value;
}
