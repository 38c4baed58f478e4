import type { JsonSchema } from "#shared/json";
import type { JsonValue } from "#shared/schema";
import type { Draw } from "../seeded.ts";

/**
 * What the words of a schema node state about its values, for generators of damage alone. Readers never see it: it
 * stands under a symbol, and repeats what name, description and neighbours say in prose.
 */
export interface Facts {
  /** Ways to write the unit or noun that the name or description states. */
  readonly units?: readonly string[];
  /** Units of another quantity, which contradict the stated one. */
  readonly otherUnits?: readonly string[];
  /** `points`: 85 means 85 %. `share`: 0.85 means 85 %. */
  readonly percent?: "points" | "share";
  /** The top of a rating scale that the description states. */
  readonly outOf?: number;
  /** The currency of an amount: a code, or the name of the member beside it that holds the code. */
  readonly currency?: { readonly code: string } | { readonly beside: string };
  /** Words for enum members that the description states. */
  readonly synonyms?: Readonly<Record<string, readonly string[]>>;
  /** Other names of this member that its description states. */
  readonly aliases?: readonly string[];
  /** The format that the description says the source writes dates in. */
  readonly writtenDates?: "DD.MM.YYYY" | "MM/DD/YYYY" | "DD/MM/YYYY";
}

const FACTS = Symbol("facts");

/** A schema node as it is written here: JSON Schema 2020-12, and its facts. */
export interface Part {
  readonly [keyword: string]: unknown;
  readonly [FACTS]?: Facts;
}

/** One kind of answer that applications ask models for. */
export interface CorpusContract {
  readonly name: string;
  readonly part: Part;
  /** Draws a natural value that fits. */
  readonly make: (draw: Draw) => JsonValue;
}

export function factsOf(node: Part): Facts {
  return node[FACTS] ?? {};
}

const schemas = new WeakMap<CorpusContract, JsonSchema>();

/** Returns the schema as readers see it, the same object each time. */
export function schemaOf(contract: CorpusContract): JsonSchema {
  const known = schemas.get(contract);
  if (known !== undefined) return known;
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    // A copy of an object is an object, and symbols are not copied.
    ...(structuredClone(contract.part) as JsonSchema),
  };
  schemas.set(contract, schema);
  return schema;
}

type Keywords = Readonly<Record<string, unknown>>;

function part(keywords: Keywords, description: string, facts: Facts): Part {
  return { ...keywords, ...(description === "" ? {} : { description }), [FACTS]: facts };
}

export const text = (description = "", more: Keywords = {}, facts: Facts = {}): Part =>
  part({ type: "string", ...more }, description, facts);

export const number = (description = "", more: Keywords = {}, facts: Facts = {}): Part =>
  part({ type: "number", ...more }, description, facts);

export const integer = (description = "", more: Keywords = {}, facts: Facts = {}): Part =>
  part({ type: "integer", ...more }, description, facts);

export const boolean = (description = "", facts: Facts = {}): Part =>
  part({ type: "boolean" }, description, facts);

export const choice = (members: readonly string[], description = "", facts: Facts = {}): Part =>
  part({ type: "string", enum: members }, description, facts);

export const date = (description = "", facts: Facts = {}): Part =>
  part({ type: "string", format: "date" }, description, facts);

export const dateTime = (description = "", facts: Facts = {}): Part =>
  part({ type: "string", format: "date-time" }, description, facts);

export const list = (items: Part, description = "", more: Keywords = {}): Part =>
  part({ type: "array", items, ...more }, description, {});

export const map = (values: Part, description = ""): Part =>
  part({ type: "object", additionalProperties: values }, description, {});

export const constant = (value: string): Part => part({ const: value }, "", {});

/** The same, or null. */
export function nullable(one: Part): Part {
  return typeof one["type"] === "string" && one["enum"] === undefined
    ? { ...one, type: [one["type"], "null"] }
    : { anyOf: [one, { type: "null" }], [FACTS]: factsOf(one) };
}

interface ObjectOptions {
  readonly optional?: readonly string[];
  /** Whether members that are not declared are allowed, which is the default of JSON Schema. */
  readonly isOpen?: boolean;
  readonly description?: string;
}

export function object(properties: Readonly<Record<string, Part>>, options: ObjectOptions = {}): Part {
  const { optional = [], isOpen = false, description = "" } = options;
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return part(
    { type: "object", properties, required, ...(isOpen ? {} : { additionalProperties: false }) },
    description,
    {},
  );
}

/** One of several objects, told apart by a constant member. */
export const union = (...branches: Part[]): Part => part({ oneOf: branches }, "", {});
