import type { JsonSchema } from "#shared/json";
import type { JsonValue } from "#shared/schema";
import { Concealer } from "./sensitive/concealer.ts";
import { mapSensitive, sensitiveValues } from "./sensitive/map-sensitive.ts";
import { SENSITIVE_MASK } from "./mask.ts";

/**
 * Masks a payload: replaces the values that its contract marks as sensitive, everywhere in it, by `[sensitive]`. Also
 * returns a function that masks these values in any text about the payload.
 */
export function concealIn(
  payload: JsonValue,
  schema: JsonSchema,
): { readonly payload: unknown; readonly elsewhere: (value: unknown) => unknown } {
  const concealer = new Concealer(sensitiveValues(payload, schema), () => SENSITIVE_MASK);
  return {
    payload: concealer.inValue(mapSensitive(payload, schema, () => SENSITIVE_MASK)),
    elsewhere: (value) => concealer.inValue(value),
  };
}
