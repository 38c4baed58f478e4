import type { JsonSchema } from "#shared/json";
import { below, cachedBy, isObject } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { evidenceOf } from "../evidence/evidence.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { FirstAidOptions, Note, RefusalCode } from "../first-aid-result.ts";
import { firstAid } from "../first-aid.ts";

/** A repaired value, or why there is none. */
export type Repair<Value = JsonValue> =
  | {
      readonly ok: true;
      readonly value: Value;
      /** Cost of all steps and of how the text was read: 0 for sound JSON that fits. */
      readonly cost: number;
      /** Changes, with a cost for each liberty: 0 harmless, 1-3 usual, 10 and more hardly ever right. */
      readonly steps: readonly Note[];
      /** Place of each value in the text, and the unused parts of the text. Computed when it is read. */
      readonly evidence: Evidence;
    }
  | {
      readonly ok: false;
      readonly code: RefusalCode;
      /** One sentence, without words of the text. */
      readonly reason: string;
      /** JSON pointer of the value that is the reason, or of the keyword in a `bad_schema`; "" for the whole. */
      readonly path: string;
      /** The values between which it would have to choose, the likeliest first. */
      readonly candidates: readonly JsonValue[];
    };

/**
 * Repairs the text of a model, tool or person so that it holds the value that a schema asks for. Deterministic, without
 * a model, in bounded time, and never by guessing: what is missing, cut off or ambiguous is refused. Never throws for
 * any text.
 *
 * @param schema - A JSON Schema (2020-12), or a schema of zod or another library that implements Standard JSON Schema;
 * then the value is what that library's own validation returns. Without a schema only the syntax is mended.
 * @throws {TypeError} The library validates asynchronously.
 * @example repair("Sure! {'total': '12',}", z.object({ total: z.number() })); // { ok: true, value: { total: 12 }, … }
 */
export function repair<Output>(
  text: string,
  schema: StandardSchema<Output>,
  options?: FirstAidOptions,
): Repair<Output>;
export function repair(text: string, schema?: JsonSchema, options?: FirstAidOptions): Repair;
export function repair<Output>(
  text: string,
  schema?: AnySchema<Output>,
  options: FirstAidOptions = {},
): Repair<Output | JsonValue> {
  const json = schema && jsonSchemaOf(schema);
  const result = firstAid(text, json, options);
  if (!result.ok) {
    const { code, reason, path, candidates = [] } = result;
    return { ok: false, code, reason, path, candidates };
  }
  const judged = schema !== undefined && isStandard(schema) ? judge(result.value, schema) : result;
  if (!judged.ok) return judged;
  let evidence: Evidence | undefined;
  return {
    ok: true,
    value: judged.value,
    cost: result.cost,
    steps: result.notes,
    get evidence() {
      return (evidence ??= evidenceOf(text, result, json));
    },
  };
}

/** Validates by the schema's own library, which may know more than its JSON Schema says. */
function judge<Output>(
  value: JsonValue,
  schema: StandardSchema<Output>,
): { readonly ok: true; readonly value: Output } | (Repair & { readonly ok: false }) {
  const result = schema["~standard"].validate(value);
  if (result instanceof Promise)
    throw new TypeError("a schema that validates asynchronously cannot judge a repair");
  if (result.issues === undefined) return { ok: true, value: result.value };
  const [first] = result.issues;
  const at = (first?.path ?? []).reduce<string>((path, step) => below(path, keyOf(step)), "");
  return {
    ok: false,
    code: "mismatch",
    path: at,
    reason: `A value does not satisfy the schema's own checks (at ${at === "" ? "/" : at}).`,
    candidates: [value],
  };
}

function keyOf(step: unknown): string {
  return String(isObject(step) ? step["key"] : step);
}

/** A schema that describes itself (Standard JSON Schema, Standard Schema): zod 4.2, ArkType 2.1.28, Valibot. */
export interface StandardSchema<Output> {
  readonly "~standard": {
    readonly jsonSchema: { readonly input: (options: { readonly target: "draft-2020-12" }) => object };
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly output: Output } | undefined;
  };
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly unknown[] | undefined;
      }[];
    };

export type AnySchema<Output> = JsonSchema | StandardSchema<Output>;

export function isStandard<Output>(schema: AnySchema<Output>): schema is StandardSchema<Output> {
  return typeof schema["~standard"] === "object" && schema["~standard"] !== null;
}

/** The JSON Schema (2020-12) of a schema, written once for each. */
export const jsonSchemaOf = cachedBy((schema: AnySchema<unknown>): JsonSchema =>
  isStandard(schema) ? { ...schema["~standard"].jsonSchema.input({ target: "draft-2020-12" }) } : schema,
);
