import type { JsonSchema } from "#shared/json";
import { repair } from "#shared/repair/library";
import type { RefusalCode, Repair } from "#shared/repair/library";
import type { JsonValue } from "#shared/schema";

export type Repaired = Repair & { readonly ok: true };

/** Why there is no repaired value: first aid's refusal, or an input that never reached it. */
export interface Refused {
  readonly ok: false;
  readonly code: RefusalCode | "bad_line" | "unusable_schema";
  readonly reason: string;
  readonly candidates: readonly JsonValue[];
}

/**
 * Repairs a text, or a value that does not fit: its spans then refer to its JSON without blanks. Never throws: a schema
 * that cannot be used is a refusal.
 */
export function repairInput(input: string | JsonValue, schema: JsonSchema | undefined): Repaired | Refused {
  try {
    return repair(typeof input === "string" ? input : JSON.stringify(input), schema);
  } catch (error) {
    // Omits the message: a library's words may quote the input.
    const name = error instanceof Error ? error.name : "unknown";
    return refuse("unusable_schema", `the schema cannot be used (${name})`);
  }
}

export function refuse(code: Refused["code"], reason: string): Refused {
  return { ok: false, code, reason, candidates: [] };
}
