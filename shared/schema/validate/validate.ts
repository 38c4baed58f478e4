import type { Issue } from "#shared/errors";
import { isContainer, kept } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { isObject, isSameJson, isWithinDepth } from "../json-value.ts";
import type { JsonValue } from "../json-value.ts";
import { findRef, fromBoolean } from "../resolve.ts";
import { issueOf } from "./issues.ts";
import type { Fault } from "./issues.ts";
import { addFaults, keywordsOf } from "./keywords.ts";
import type { Checking, Node, Verdicts } from "./keywords.ts";
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
