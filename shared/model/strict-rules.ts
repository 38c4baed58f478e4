import type { JsonSchema } from "#shared/json";
import { isRecord, pointerStep } from "#shared/json";

/** A place in a schema that an endpoint refuses in strict mode. */
export interface StrictFault {
  /** JSON pointer into the schema; "" is its root. */
  readonly path: string;
  /** The fault there, as the end of a sentence. */
  readonly problem: string;
}

/** Inclusive bounds of a schema, by OpenAI's guide. Levels are nested objects and arrays, the root included. */
export const STRICT_BOUNDS = {
  propertiesMax: 5_000,
  levelsMax: 10,
  /** Characters of all property names, definition names, enum values and constants together. */
  namedCharactersMax: 120_000,
  enumValuesMax: 1_000,
  /** An enum of strings with more values than this is bounded in characters, too. */
  longEnumFrom: 250,
  longEnumCharactersMax: 15_000,
} as const;

/** Keywords that the guide lists as supported. */
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    "type properties required additionalProperties items anyOf enum const $ref $defs description " +
    "pattern format multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems"
  ).split(" "),
);

const TYPES: ReadonlySet<unknown> = new Set("string number integer boolean object array null".split(" "));

const FORMATS: ReadonlySet<unknown> = new Set(
  "date-time time date duration email hostname ipv4 ipv6 uuid".split(" "),
);

const LOOKAROUND = /\(\?(=|!|<=|<!)/;
const REFERENCE = /^#(?:\/\$defs\/([^/]+))?$/;

/** Says what is wrong with one node, apart from those below it; null when nothing is. */
type Rule = (node: JsonSchema, root: JsonSchema) => string | null;

const RULES: readonly Rule[] = [
  (node) => {
    const unknown = Object.keys(node).find((keyword) => !KEYWORDS.has(keyword));
    return unknown === undefined ? null : `${unknown} is not supported`;
  },
  // Not in the guide, but answered with 400: an enum or a constant needs a type like everything else.
  (node) =>
    "type" in node || "anyOf" in node || "$ref" in node ? null : "a schema needs a type, anyOf or $ref",
  ({ type }) => {
    const types = Array.isArray(type) ? type : [type ?? "null"];
    return types.length > 0 && types.every((one) => TYPES.has(one)) ? null : "the type is unknown";
  },
  // Not in the guide, but answered with 400.
  (node) => ("$ref" in node && Object.keys(node).length > 1 ? "nothing may stand beside $ref" : null),
  ({ $ref }, root) => {
    if ($ref === undefined) return null;
    const [found, name] = typeof $ref === "string" ? (REFERENCE.exec($ref) ?? []) : [];
    const isKnown = name === undefined || Object.hasOwn(asRecord(root["$defs"]), name);
    return found !== undefined && isKnown ? null : "$ref leads nowhere";
  },
  (node) =>
    holds(node, "object") && node["additionalProperties"] !== false
      ? "an object needs additionalProperties: false"
      : null,
  (node) => {
    if (!holds(node, "object")) return null;
    const required = asList(node["required"]);
    const missing = Object.keys(asRecord(node["properties"])).find((name) => !required.includes(name));
    return missing === undefined ? null : `the property ${missing} is not required`;
  },
  (node) => (holds(node, "array") && !isRecord(node["items"]) ? "an array needs items" : null),
  ({ enum: values }) =>
    values === undefined || asList(values).length > 0 ? null : "an enum needs at least one value",
  ({ enum: values }) => {
    const texts = asList(values).filter((value) => typeof value === "string");
    const { longEnumFrom, longEnumCharactersMax } = STRICT_BOUNDS;
    return texts.length > longEnumFrom && texts.join("").length > longEnumCharactersMax
      ? `an enum of more than ${longEnumFrom} texts has more than ${longEnumCharactersMax} characters`
      : null;
  },
  ({ anyOf }) => (anyOf === undefined || asList(anyOf).length > 0 ? null : "anyOf needs at least one schema"),
  // Not in the guide, but answered with 400: the first member has to tell objects apart.
  ({ anyOf }) => {
    const firsts = asList(anyOf).flatMap((branch) => firstMemberOf(branch));
    return new Set(firsts).size === firsts.length
      ? null
      : "two objects of anyOf begin with the same property";
  },
  ({ format }) => (format === undefined || FORMATS.has(format) ? null : "the format is not supported"),
  ({ pattern }) =>
    typeof pattern === "string" && LOOKAROUND.test(pattern) ? "a pattern looks around" : null,
];

/**
 * Checks a schema against the documented rules of strict structured outputs, and refusals that were seen. Returns at
 * most one fault for each node and bound; none when an endpoint takes the schema.
 */
export function findStrictFaults(schema: JsonSchema): StrictFault[] {
  const walk = new RulesWalk(schema);
  walk.visit(schema, { path: "", level: 1 });
  if (schema["type"] !== "object") walk.faults.unshift({ path: "", problem: "the root is not an object" });
  return [...walk.faults, ...walk.brokenBounds()];
}

class RulesWalk {
  readonly faults: StrictFault[] = [];
  private readonly root: JsonSchema;
  private properties = 0;
  private enumValues = 0;
  private namedCharacters = 0;

  constructor(root: JsonSchema) {
    this.root = root;
  }

  visit(given: unknown, { path, level }: { readonly path: string; readonly level: number }): void {
    if (!isRecord(given)) return void this.faults.push({ path, problem: "this is no schema" });
    for (const rule of RULES) {
      const problem = rule(given, this.root);
      if (problem === null) continue;
      this.faults.push({ path, problem });
      break;
    }
    const isLevel = holds(given, "object") || holds(given, "array");
    if (isLevel && level > STRICT_BOUNDS.levelsMax)
      return void this.faults.push({
        path,
        problem: `more than ${STRICT_BOUNDS.levelsMax} levels are nested`,
      });
    this.count(given);
    const below = isLevel ? level + 1 : level;
    for (const keyword of ["properties", "$defs"])
      for (const [name, inner] of Object.entries(asRecord(given[keyword])))
        this.visit(inner, {
          path: `${path}/${keyword}${pointerStep(name)}`,
          level: keyword === "$defs" ? 1 : below,
        });
    for (const [index, branch] of asList(given["anyOf"]).entries())
      this.visit(branch, { path: `${path}/anyOf/${index}`, level });
    if (given["items"] !== undefined) this.visit(given["items"], { path: `${path}/items`, level: below });
  }

  private count(node: JsonSchema): void {
    const names = Object.keys(asRecord(node["properties"]));
    const values = [...asList(node["enum"]), ...("const" in node ? [node["const"]] : [])];
    this.properties += names.length;
    this.enumValues += asList(node["enum"]).length;
    for (const named of [...names, ...Object.keys(asRecord(node["$defs"])), ...values])
      this.namedCharacters += String(named).length;
  }

  brokenBounds(): StrictFault[] {
    const { propertiesMax, enumValuesMax, namedCharactersMax } = STRICT_BOUNDS;
    const bounds: readonly (readonly [number, number, string])[] = [
      [this.properties, propertiesMax, "properties"],
      [this.enumValues, enumValuesMax, "enum values"],
      [this.namedCharacters, namedCharactersMax, "characters in names and enum values"],
    ];
    return bounds
      .filter(([found, max]) => found > max)
      .map(([, max, what]) => ({ path: "", problem: `there are more than ${max} ${what}` }));
  }
}

/** The first property of an object with its schema, as text; nothing for what is no object with properties. */
function firstMemberOf(branch: unknown): string[] {
  const first = Object.entries(asRecord(asRecord(branch)["properties"]))[0];
  return first === undefined ? [] : [JSON.stringify(first)];
}

function holds({ type }: JsonSchema, wanted: "object" | "array"): boolean {
  return type === wanted || (Array.isArray(type) && type.includes(wanted));
}

/** Returns an object as it is; an empty one for anything else. */
export function asRecord(value: unknown): JsonSchema {
  return isRecord(value) ? value : {};
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
