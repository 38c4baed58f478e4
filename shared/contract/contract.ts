import { z } from "zod";
import type { Issue } from "#shared/errors";
import type { JsonSchema } from "#shared/json";
import { ContractDefinitionError } from "./errors.ts";

/** A semantic check. Returns faults of values that are well-formed, yet not acceptable. */
export type SemanticCheck<Value> = (value: Value) => readonly Issue[];

export interface ContractOptions<Value> {
  /** One sentence for people and models: what the payload is for. */
  readonly description?: string;
  /** `xml` suits code and long texts; the typed value is the same, first aid reads both. Default `json`. */
  readonly answersIn?: "json" | "xml";
  /** Runs after the schema; an issue is a `content_error`. Default: nothing to check. */
  readonly check?: SemanticCheck<Value>;
  /** Place in which a `content_error` waits. `quarantine` skips every machine. Default `ward`. */
  readonly onContentError?: "ward" | "quarantine";
  /** Upcasts a payload of version n-1 to this one (n). Chains are built by the registry. */
  readonly upcast?: (previous: unknown) => unknown;
  /** Version n-1, where it has an upcaster of its own: the registry knows it with this one. Default: none. */
  readonly previous?: Contract;
}

/**
 * A named, versioned promise about a payload. Declared once in zod; the handler's input, the handoff's output,
 * the JSON Schema, the OpenAPI and the surgeon's schema all come from it.
 *
 * Fields are marked with zod's `.meta()`, which travels into the JSON Schema:
 * - `"x-locked": true`: no procedure writes it, only a person (amounts, recipients, accounts);
 * - `"x-sensitive": true`: personal or secret; masked wherever the payload is shown (`sensitive` sets it);
 * - `"x-two-person": true`: a person's change needs a second person;
 * - `"x-surgeon-writes": true`: the surgeon may write text here that no source holds (a summary, say);
 * - `"x-synonyms": { "member": ["other word"] }` on an enum; `"x-aliases": ["other_name"]` on a property;
 * - `"x-unit": "EUR"`, `"x-scale": 5` on a number: what the bare number means;
 * - `"x-accepts": ["xml"]` on the whole: first aid may read XML as well as JSON.
 */
export interface Contract<Schema extends z.ZodType = z.ZodType> {
  /** `name@version`, e.g. `refunds.request@2`. */
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly schema: Schema;
  readonly jsonSchema: JsonSchema;
  readonly options: ContractOptions<z.output<Schema>>;
}

export type ContractInput<C extends Contract> = z.input<C["schema"]>;
export type ContractOutput<C extends Contract> = z.output<C["schema"]>;

const ID = /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9_-]*)*@[1-9]\d{0,5}$/;

/**
 * Declares a contract.
 *
 * @param id - `name@version`: lower-case words joined by dots, then an integer version of at least 1.
 * @throws {ContractDefinitionError} The id is malformed, or the schema cannot be written as JSON Schema.
 * @example contract("refunds.request@2", z.object({ order_id: z.string() }))
 */
export function contract<Schema extends z.ZodType>(
  id: string,
  schema: Schema,
  options: ContractOptions<z.output<Schema>> = {},
): Contract<Schema> {
  if (!ID.test(id)) {
    throw new ContractDefinitionError(id, "its id is not of the form name@version, e.g. refunds.request@2");
  }
  const at = id.lastIndexOf("@");
  return {
    id,
    name: id.slice(0, at),
    version: Number(id.slice(at + 1)),
    schema,
    jsonSchema: {
      ...toJsonSchema(id, schema, options.description),
      ...(options.answersIn === "xml" ? { "x-accepts": ["xml"] } : {}),
    },
    options,
  };
}

/** Returns a contract with a further check, one that knows what this payload is about, such as the text it quotes. */
export function withCheck<Schema extends z.ZodType>(
  { options, ...rest }: Contract<Schema>,
  check: SemanticCheck<z.output<Schema>>,
): Contract<Schema> {
  const both = (value: z.output<Schema>) => [...(options.check?.(value) ?? []), ...check(value)];
  return { ...rest, options: { ...options, check: both } };
}

function toJsonSchema(id: string, schema: z.ZodType, description: string | undefined): JsonSchema {
  try {
    const written = z.toJSONSchema(schema, { io: "input", unrepresentable: "throw" });
    return { ...written, title: id, ...(description === undefined ? {} : { description }) };
  } catch (cause) {
    throw new ContractDefinitionError(id, "its schema has a type that JSON Schema cannot say", cause);
  }
}

/**
 * Marks a field as personal or secret: wherever a payload is shown, exported or sent to the surgeon's model, the value
 * is masked. Other marks of the schema stay. Call it last: zod drops marks when a schema is changed after them.
 *
 * @example z.object({ patient: sensitive(z.string().min(1)) })
 */
export function sensitive<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.meta({ ...schema.meta(), "x-sensitive": true });
}
