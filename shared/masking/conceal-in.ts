import type { JsonSchema } from "#shared/json";
import type { JsonValue } from "#shared/schema";
import { Concealer } from "./sensitive/concealer.ts";
import { mapSensitive, sensitiveValues } from "./sensitive/map-sensitive.ts";

/** Replaces a sensitive value. */
export const SENSITIVE_MASK = "[sensitive]";

/**
 * Masks a payload: replaces the values that its contract marks as sensitive, everywhere in it, by `[sensitive]`. Also
 * returns functions that mask these values in any text about the payload (`elsewhere`), which may quote the contract,
 * and in data that it is a part of (`beside`).
 */
export function concealIn(
  payload: JsonValue,
  schema: JsonSchema,
): {
  readonly payload: unknown;
  readonly elsewhere: (value: unknown) => unknown;
  readonly beside: (value: unknown) => unknown;
} {
  const mark = (): string => SENSITIVE_MASK;
  const values = sensitiveValues(payload, schema);
  const copies = new Concealer(values, mark);
  const about = new Concealer(values, mark, [schema]);
  return {
    payload: mapSensitive(payload, schema, mark, (one) => copies.ofScalar(one)),
    elsewhere: (value) => about.inValue(value),
    beside: (value) => copies.inValue(value),
  };
}
