import type { JsonSchema } from "#shared/json";
import { repair } from "#shared/repair/library";
import type { RefusalCode, Repair } from "#shared/repair/library";
import type { JsonValue } from "#shared/schema";

export type Repaired = Repair & { readonly ok: true };

/** Why there is no repaired value: first aid's refusal, or a schema that cannot be used. */
export interface Refused {
  readonly ok: false;
  readonly code: RefusalCode | "unusable_schema";
  readonly reason: string;
  readonly candidates: readonly JsonValue[];
}

/** Repairs a text. Never throws: a schema that cannot be used is a refusal. */
export function repairInput(text: string, schema: JsonSchema | undefined): Repaired | Refused {
  try {
    return repair(text, schema);
  } catch (error) {
    // Omits the message: a library's words may quote the input.
    const name = error instanceof Error ? error.name : "unknown";
    const reason = `the schema cannot be used (${name})`;
    return { ok: false, code: "unusable_schema", reason, candidates: [] };
  }
}
