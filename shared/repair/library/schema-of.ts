import type { JsonSchema } from "#shared/json";
import { kept } from "#shared/json";

/**
 * A schema of a library that describes itself (Standard JSON Schema and Standard Schema): zod 4.2, ArkType 2.1.28,
 * Valibot with its adapter.
 */
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

const written = new WeakMap<object, JsonSchema>();

/** The JSON Schema (2020-12) of a schema, written once for each. */
export function jsonSchemaOf<Output>(schema: AnySchema<Output>): JsonSchema {
  if (!isStandard(schema)) return schema;
  const { jsonSchema } = schema["~standard"];
  return kept(written, schema, () => ({ ...jsonSchema.input({ target: "draft-2020-12" }) }));
}
