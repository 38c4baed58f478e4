import type { JsonSchema } from "#shared/contract";
import { firstAid } from "#shared/repair";
import type { JsonValue } from "#shared/schema";

/** What first aid came to. */
export type Treatment =
  | { readonly ok: true; readonly value: JsonValue; readonly cost: number; readonly reason: string }
  | { readonly ok: false; readonly value: null; readonly cost: null; readonly reason: string };

/** Gives first aid. Never throws: a schema that cannot be used is a refusal too. */
export function treat(input: string | JsonValue, schema: JsonSchema | undefined): Treatment {
  try {
    const result = firstAid(input, schema);
    if (!result.ok) return refuse(`${result.code}: ${result.reason}`);
    const steps = [...new Set(result.notes.map(({ step }) => step))].join(", ");
    return { ok: true, value: result.value, cost: result.cost, reason: steps };
  } catch (error) {
    // Not its message: a library's words may quote the input.
    return refuse(
      `unusable_schema: the schema cannot be used (${error instanceof Error ? error.name : "unknown"})`,
    );
  }
}

export function refuse(reason: string): Treatment {
  return { ok: false, value: null, cost: null, reason };
}
