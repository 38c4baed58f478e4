import type { JsonSchema } from "#shared/json";
import { isObject } from "#shared/schema";
import type { JsonValue } from "#shared/schema";

const PREAMBLE = `client<llm> Nobody {
  provider openai
  options {
    model "none"
    api_key "none"
  }
}
`;

/** Name of the function whose return type is the schema. */
export const BAML_FUNCTION = "Answer";

interface Member {
  readonly name: string;
  readonly isRequired: boolean;
}

/** A contract as BAML source, and what its members are called there. */
export interface BamlContract {
  readonly source: string;
  /** Members by their names in the source: the contract's own, which may be keywords of BAML, are aliases. */
  readonly members: ReadonlyMap<string, Member>;
}

/**
 * Translates a JSON Schema to BAML source whose one function returns that type: objects become classes, enums and
 * constants unions of literals. Throws where BAML has no such type, as for tuples.
 */
export function toBaml(schema: JsonSchema): BamlContract {
  const translation: Translation = { root: schema, classes: new Map(), members: new Map() };
  const type = typeOf(schema, translation);
  const main = `function ${BAML_FUNCTION}() -> ${type} {\n  client Nobody\n  prompt #"none"#\n}\n`;
  return {
    source: [PREAMBLE, ...translation.classes.values(), main].join("\n"),
    members: translation.members,
  };
}

/** Gives members their names back, and leaves out optional ones that are null because they were absent. */
export function fromBaml(value: JsonValue, members: BamlContract["members"]): JsonValue {
  if (Array.isArray(value)) return value.map((item) => fromBaml(item, members));
  if (!isObject(value)) return value;
  const restored = Object.entries(value).flatMap(([key, inner]): [string, JsonValue][] => {
    const member = members.get(key);
    if (inner === null && member?.isRequired === false) return [];
    return [[member?.name ?? key, fromBaml(inner, members)]];
  });
  return Object.fromEntries(restored);
}

interface Translation {
  readonly root: JsonSchema;
  /** Sources of classes by name; those of recursive ones are empty while they are written. */
  readonly classes: Map<string, string>;
  readonly members: Map<string, Member>;
}

function typeOf(schema: JsonSchema, translation: Translation): string {
  const reference = schema["$ref"];
  if (typeof reference === "string") return referred(reference, translation);
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
  if (Array.isArray(schema["enum"])) return union(schema["enum"].map((one) => JSON.stringify(one)));
  const branches = schema["oneOf"] ?? schema["anyOf"];
  if (Array.isArray(branches)) return union(branches.map((branch) => typeOf(asSchema(branch), translation)));
  const types: unknown[] = [schema["type"]].flat();
  return union(types.map((type) => plainType(type, schema, translation)));
}

function plainType(type: unknown, schema: JsonSchema, translation: Translation): string {
  const scalar = { string: "string", integer: "int", number: "float", boolean: "bool", null: "null" }[
    String(type)
  ];
  if (scalar !== undefined) return scalar;
  if (type === "array" && schema["prefixItems"] === undefined)
    return `(${typeOf(asSchema(schema["items"]), translation)})[]`;
  if (type !== "object") throw new TypeError(`BAML has no type for ${JSON.stringify(schema)}`);
  return schema["properties"] === undefined
    ? `map<string, ${typeOf(asSchema(schema["additionalProperties"]), translation)}>`
    : classOf(schema, `Class${translation.classes.size}`, translation);
}

function referred(reference: string, translation: Translation): string {
  const name = reference === "#" ? "Root" : reference.replace("#/$defs/", "");
  if (!/^\w+$/.test(name)) throw new TypeError(`cannot follow ${reference}`);
  const className = `Class_${name}`;
  if (translation.classes.has(className)) return className;
  const definitions = asSchema(translation.root["$defs"]);
  const target = reference === "#" ? translation.root : asSchema(definitions[name]);
  return target["properties"] === undefined
    ? typeOf(target, translation)
    : classOf(target, className, translation);
}

function classOf(schema: JsonSchema, name: string, translation: Translation): string {
  translation.classes.set(name, "");
  const required: unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  const members = Object.entries(asSchema(schema["properties"])).map(([member, inner]) => {
    const isRequired = required.includes(member);
    const key = `member${translation.members.size}`;
    translation.members.set(key, { name: member, isRequired });
    const type = typeOf(asSchema(inner), translation);
    const { description } = asSchema(inner);
    const about = typeof description === "string" ? ` @description(${JSON.stringify(description)})` : "";
    return `  ${key} ${isRequired ? type : union([type, "null"])} @alias(${JSON.stringify(member)})${about}`;
  });
  translation.classes.set(name, `class ${name} {\n${members.join("\n")}\n}\n`);
  return name;
}

const union = (types: readonly string[]): string =>
  types.length === 1 ? types.join("") : `(${types.join(" | ")})`;

function asSchema(value: unknown): JsonSchema {
  if (typeof value !== "object" || value === null) throw new TypeError("BAML has no type for anything");
  // An object where JSON Schema has one.
  return value as JsonSchema;
}
