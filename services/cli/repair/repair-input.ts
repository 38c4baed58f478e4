import { z } from "zod";
import type { JsonSchema } from "#shared/json";
import { repair } from "#shared/repair/library";
import type { RefusalCode, Repair } from "#shared/repair/library";
import type { JsonValue } from "#shared/schema";
import { CommandRefusedError } from "../errors.ts";
import { readInput, readJson } from "../read-input.ts";

export interface ToRepair {
  /** `-` reads standard input. */
  readonly file: string;
  /** In a batch: for lines that bring no schema of their own. */
  readonly schema: JsonSchema | undefined;
  /** Writes whole results, with evidence or candidates. */
  readonly json: boolean;
}

export type Repaired = Repair & { readonly ok: true };

/** Why there is no repaired value: first aid's refusal, or an input that never reached it. */
export interface Refused {
  readonly ok: false;
  readonly code: RefusalCode | "bad_line" | "unusable_schema";
  readonly reason: string;
  readonly candidates: readonly JsonValue[];
}

/** Repairs a text, or a value by its JSON without blanks. Never throws: an unusable schema is a refusal. */
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

/** A JSON Schema as an object; first aid cannot use `true` and `false`. */
export const schemaValue = z.record(z.string(), z.unknown());

/** @throws {CommandRefusedError} The file cannot be read or holds no JSON object. */
export async function readSchema(file: string): Promise<JsonSchema> {
  const parsed = schemaValue.safeParse(readJson(await readInput(file), "The schema"));
  if (parsed.success) return parsed.data;
  throw new CommandRefusedError("The schema is not a JSON object.", "Give a JSON Schema, draft 2020-12.");
}
