import type { JsonSchema } from "#shared/contract";
import type { JsonValue } from "#shared/schema";
import { Concealer } from "./sensitive/concealer.ts";
import { mapSensitive, sensitiveValues } from "./sensitive/map-sensitive.ts";
import { SENSITIVE_MASK } from "./mask.ts";

/**
 * Returns a payload with `[sensitive]` at every place that its contract marks, and wherever else in it the same values
 * stand; and a function that conceals these values in anything that was said about the payload.
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
