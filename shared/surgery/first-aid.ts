import type { JsonSchema } from "#shared/contract";
import type { FirstAidOptions, FirstAidResult } from "./first-aid-result.ts";
import type { JsonValue } from "./json-value.ts";

export function firstAid(input: string | JsonValue, schema?: JsonSchema, options: FirstAidOptions = {}): FirstAidResult {
  void input; void schema; void options;
  return { ok: false, code: "no_json", reason: "", notes: [] };
}
