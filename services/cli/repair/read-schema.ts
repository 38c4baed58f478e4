import { z } from "zod";
import type { JsonSchema } from "#shared/json";
import { CommandRefusedError } from "../errors.ts";
import { readInput, readJson } from "../read-input.ts";

/** A JSON Schema as an object; first aid cannot use `true` and `false`. */
export const schemaValue = z.record(z.string(), z.unknown());

/** @throws {CommandRefusedError} The file cannot be read or holds no JSON object. */
export async function readSchema(file: string): Promise<JsonSchema> {
  const parsed = schemaValue.safeParse(readJson(await readInput(file), "The schema"));
  if (parsed.success) return parsed.data;
  throw new CommandRefusedError("The schema is not a JSON object.", "Give a JSON Schema, draft 2020-12.");
}
