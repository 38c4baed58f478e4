import type { JsonSchema } from "#shared/contract";
import type { FirstAidOptions, FirstAidResult } from "../first-aid-result.ts";
import type { JsonValue } from "../json-value.ts";
export function align(value: JsonValue, schema: JsonSchema, options: FirstAidOptions = {}): FirstAidResult {
  void value; void schema; void options;
  return { ok: false, code: "mismatch", reason: "", notes: [] };
}
