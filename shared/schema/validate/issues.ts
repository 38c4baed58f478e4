import type { Issue } from "#shared/errors";

/** A keyword that a value can break. */
export type Breakable = keyof typeof ISSUES;

/** The rule that a value breaks, and its place. `issueOf` says it in words; most callers ask only if there is any. */
export interface Fault {
  readonly path: string;
  readonly keyword: Breakable;
  /** Details that the words name: the expected type, the format, how a pattern failed, how many alternatives fit. */
  readonly detail?: unknown;
}

/** Says in words what a value breaks. */
export function issueOf({ path, keyword, detail }: Fault): Issue {
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

/** The keywords that a value can break, in words; `limit` where the checks ended before the value did. */
const ISSUES = {
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
} satisfies Readonly<Record<string, Told | ((detail: unknown) => Told)>>;

function namesIn(types: unknown): unknown[] {
  return [types].flat().filter((one) => typeof one === "string");
}
