import type { Issue } from "#shared/errors";
import { isContainer, kept } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { isObject, isSameJson, isWithinDepth } from "../json-value.ts";
import type { JsonValue } from "../json-value.ts";
import { findRef, fromBoolean } from "../resolve.ts";
import { addFaults, keywordsOf } from "./keywords.ts";
import type { Breakable, Checking, Fault, Verdicts } from "./keywords.ts";
import { isOfType, validateArray, validateNumber, validateObject, validateText } from "./validate-values.ts";

/** Limits of one validation; beyond them the value is invalid. */
interface ValidateOptions {
  /** Maximum nodes and keywords checked. Default 400,000. */
  readonly checksMax?: number;
  /** Maximum issues listed. Default 100. */
  readonly issuesMax?: number;
}

/** Maximum nesting of values and references, which also ends circular references. */
const DEPTH_MAX = 200;

/**
 * Holds a value against a JSON Schema (draft 2020-12).
 *
 * Total: never throws. Covers types, const and enum, all bounds, pattern and format, objects, lists, `$ref`
 * within the document, and the combining keywords. An unknown keyword is an annotation. A pattern that is
 * malformed or takes too long is an issue.
 *
 * @returns Every fault with its JSON pointer; empty where the value satisfies the schema. A reached bound is
 * `limit`.
 */
export function validate(value: JsonValue, schema: JsonSchema, options: ValidateOptions = {}): Issue[] {
  if (!isWithinDepth(value, DEPTH_MAX))
    return [{ path: "", code: "limit", message: "too deep to be checked" }];
  return validateWithin(value, schema, options).faults.map(issueOf);
}

/** As `validate`, for a part of a larger schema document: without words, and with the number of checks. */
export function validateWithin(
  value: JsonValue,
  schema: JsonSchema,
  options: ValidateOptions & { readonly document?: JsonSchema; readonly verdicts?: Verdicts },
): { faults: Fault[]; checks: number } {
  const checksMax = options.checksMax ?? 400_000;
  const checking: Checking = {
    root: options.document ?? schema,
    left: checksMax,
    depth: 0,
    issuesMax: options.issuesMax ?? 100,
    verdicts: options.verdicts,
    check: (inner, innerSchema, path) => checkNode(checking, { value: inner, schema: innerSchema, path }),
  };
  const faults = checkNode(checking, { value, schema, path: "" }).slice(0, options.issuesMax ?? 100);
  return { faults, checks: checksMax - Math.max(0, checking.left) };
}

interface Node {
  readonly value: JsonValue;
  readonly schema: JsonSchema;
  readonly path: string;
}

function checkNode(checking: Checking, node: Node): Fault[] {
  checking.left -= 1;
  if (checking.left < 0 || checking.depth > DEPTH_MAX) return [{ path: node.path, keyword: "limit" }];
  const known = knownOf(checking, node);
  const before = known?.get(node.schema);
  if (before !== undefined) return before;
  checking.depth += 1;
  const faults = checkKind(node);
  addFaults(faults, checkParts(checking, node));
  if (keywordsOf(node.schema).isCombined) addFaults(faults, checkCombined(checking, node));
  checking.depth -= 1;
  if (!faults.some(({ keyword }) => keyword === "limit")) known?.set(node.schema, faults);
  return faults;
}

/** Cached results exist only for containers of containers; flatter ones are as fast to validate. */
function knownOf({ verdicts }: Checking, { value }: Node): Map<JsonSchema, Fault[]> | undefined {
  if (verdicts === undefined || !isContainer(value)) return undefined;
  return Object.values(value).some(isContainer) ? kept(verdicts, value, () => new Map()) : undefined;
}

function checkKind({ value, schema, path }: Node): Fault[] {
  const { type } = schema;
  if (type !== undefined && !isOfType(value, type)) return [{ path, keyword: "type", detail: type }];
  const faults: Fault[] = [];
  if ("const" in schema && !isSameJson(value, schema["const"])) faults.push({ path, keyword: "const" });
  const { members } = keywordsOf(schema);
  const isMember = (member: unknown): boolean => isSameJson(value, member);
  if (members?.has(value) === false && !(isContainer(value) && [...members].some(isMember)))
    faults.push({ path, keyword: "enum" });
  return faults;
}

function checkParts(checking: Checking, { value, schema, path }: Node): Fault[] {
  if (typeof value !== "object" && !keywordsOf(schema).boundsScalars) return [];
  if (typeof value === "string") return validateText(checking, { value, schema, path });
  if (typeof value === "number") return validateNumber(value, schema, path);
  if (Array.isArray(value)) return validateArray(checking, { value, schema, path });
  return isObject(value) ? validateObject(checking, { value, schema, path }) : [];
}

function checkCombined(checking: Checking, node: Node): Fault[] {
  const { value, schema, path } = node;
  const { allOf, anyOf, oneOf } = keywordsOf(schema);
  const fits = (inner: JsonSchema): boolean => checking.check(value, inner, path).length === 0;
  const faults: Fault[] = [];
  const follow = (inner: JsonSchema): void => addFaults(faults, checking.check(value, inner, path));
  const reference = schema["$ref"] ?? schema["$dynamicRef"];
  if (reference !== undefined) {
    const target = findRef(reference, checking.root);
    if (target === undefined) faults.push({ path, keyword: "$ref" });
    else follow(target);
  }
  allOf.forEach(follow);
  if (Array.isArray(schema["anyOf"]) && !anyOf.some(fits)) faults.push({ path, keyword: "anyOf" });
  const fitting = Array.isArray(schema["oneOf"]) ? oneOf.filter(fits).length : 1;
  if (fitting !== 1) faults.push({ path, keyword: "oneOf", detail: fitting });
  if (schema["not"] !== undefined && fits(fromBoolean(schema["not"]))) faults.push({ path, keyword: "not" });
  if (schema["if"] !== undefined) {
    const branch = fits(fromBoolean(schema["if"])) ? schema["then"] : schema["else"];
    if (branch !== undefined) follow(fromBoolean(branch));
  }
  return faults;
}

/** Says in words what a value breaks. */
function issueOf({ path, keyword, detail }: Fault): Issue {
  const told = ISSUES[keyword];
  const [code, message] = typeof told === "function" ? told(detail) : told;
  return { path, code, message };
}

type Told = readonly [code: string, message: string];

const BOUNDS = "outside the contract's bounds";
const MEMBERS = `number of members ${BOUNDS}`;
const ITEMS = `number of items ${BOUNDS}`;
const WANTED = "too few or too many items of the wanted kind";
const NO_ALTERNATIVE: Told = ["invalid_union", "fits none of the alternatives"];

const PATTERN: Readonly<Record<string, Told>> = {
  too_costly: ["pattern_too_costly", "the pattern takes too long to check"],
  malformed: ["pattern_malformed", "the contract's pattern is malformed"],
};

const ISSUES: Readonly<Record<Breakable, Told | ((detail: unknown) => Told)>> = {
  limit: ["limit", "too large or too deep to be checked"],
  type: (types) => ["invalid_type", `expected ${namesIn(types).join(" or ")}`],
  const: ["invalid_value", "not the value the contract fixes"],
  enum: ["invalid_value", "not one of the values the contract lists"],
  required: ["missing", "required, and not there"],
  additionalProperties: ["unknown_field", "this field is not part of the contract"],
  minProperties: ["too_small", MEMBERS],
  maxProperties: ["too_big", MEMBERS],
  dependentRequired: (key) => ["missing", `required beside ${String(key)}`],
  minItems: ["too_small", ITEMS],
  maxItems: ["too_big", ITEMS],
  uniqueItems: ["not_unique", "items must differ"],
  minContains: ["too_small", WANTED],
  maxContains: ["too_big", WANTED],
  minLength: ["too_small", `length ${BOUNDS}`],
  maxLength: ["too_big", `length ${BOUNDS}`],
  format: (format) => ["invalid_format", `not of the format ${String(format)}`],
  pattern: (how) => PATTERN[String(how)] ?? ["invalid_format", "does not match the contract's pattern"],
  minimum: ["too_small", BOUNDS],
  maximum: ["too_big", BOUNDS],
  exclusiveMinimum: ["too_small", "not above the contract's bound"],
  exclusiveMaximum: ["too_big", "not below the contract's bound"],
  multipleOf: (step) => ["not_multiple_of", `not a multiple of ${String(step)}`],
  $ref: ["unknown_reference", "the schema refers to something it lacks"],
  anyOf: NO_ALTERNATIVE,
  oneOf: (fitting) => (fitting === 0 ? NO_ALTERNATIVE : ["invalid_union", "fits more than one alternative"]),
  not: ["not_allowed", "the contract excludes this value"],
};

function namesIn(types: unknown): unknown[] {
  return [types].flat().filter((one) => typeof one === "string");
}
