import type { z } from "zod";

/** True only of a value that its schema accepts and gives back unchanged. */
export type Fit = (value: unknown) => boolean;

const compiled = new WeakMap<z.ZodType, Fit | null>();

/**
 * A quick yes for a schema, made from the schema itself: many times faster than parsing, because it builds no copy and
 * no issues. A yes is the parser's yes, with the value itself as the output. Anything else says nothing: parse
 * then, for the faults, or for an output that differs from the input.
 *
 * @returns null for a schema with a part that is not understood here: transforms, defaults, unions and the like.
 */
export function compileFit(schema: z.ZodType): Fit | null {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const fit = compileType(schema);
  compiled.set(schema, fit);
  return fit;
}

/**
 * Zod's own description of a schema or a check, as far as it is read here. All of it is looked at before it is
 * believed.
 */
type Definition = Readonly<Record<string, unknown>>;

function definitionOf(part: unknown): Definition {
  // Zod documents `_zod.def` for libraries. Its types differ with each class, so that each field is checked where it is
  // used; what has none is understood by nobody here.
  const internals: Definition = Object(Object(part)["_zod"]);
  return Object(internals["def"]);
}

function compileType(schema: unknown): Fit | null {
  const def = definitionOf(schema);
  if (def["coerce"] === true) return null;
  const type = compileBare(def);
  const checks = compileChecks(def["checks"]);
  if (type === null || checks === null) return null;
  if (checks.length === 0) return type;
  const [first, second] = checks;
  if (first !== undefined && second === undefined) return (value) => type(value) && first(value);
  return (value) => type(value) && checks.every((check) => check(value));
}

function compileBare(def: Definition): Fit | null {
  switch (def["type"]) {
    case "string":
      return def["format"] === undefined ? (value) => typeof value === "string" : null;
    case "number":
      return compileNumber(def);
    case "boolean":
      return (value) => typeof value === "boolean";
    case "null":
      return (value) => value === null;
    case "unknown":
      return () => true;
    case "literal":
      return compileMembers(def["values"]);
    case "enum":
      return compileMembers(Object.values(Object(def["entries"])));
    case "nullable":
      return compileNullable(def);
    case "array":
      return compileArray(def);
    case "record":
      return compileRecord(def);
    case "object":
      return compileObject(def);
    default:
      return null;
  }
}

function compileNumber(def: Definition): Fit | null {
  if (def["format"] === undefined) return Number.isFinite;
  return def["format"] === "safeint" ? Number.isSafeInteger : null;
}

function compileMembers(members: unknown): Fit | null {
  if (!Array.isArray(members)) return null;
  const set = new Set<unknown>(members);
  return (value) => set.has(value);
}

function compileNullable(def: Definition): Fit | null {
  const inner = compileType(def["innerType"]);
  return inner === null ? null : (value) => value === null || inner(value);
}

function compileArray(def: Definition): Fit | null {
  const element = compileType(def["element"]);
  if (element === null) return null;
  return (value) => {
    if (!Array.isArray(value)) return false;
    for (let i = 0; i < value.length; i += 1) if (!element(value[i])) return false;
    return true;
  };
}

/** Only records of anything: keys of another type are rare and have rules of their own. */
function compileRecord(def: Definition): Fit | null {
  const isPlainKey =
    definitionOf(def["keyType"])["type"] === "string" &&
    compileChecks(definitionOf(def["keyType"])["checks"])?.length === 0;
  const member = compileType(def["valueType"]);
  if (!isPlainKey || member === null) return null;
  return (value) => {
    if (!isPlainObject(value)) return false;
    for (const key of Object.keys(value)) {
      if (key === "__proto__" || value[key] === undefined || !member(value[key])) return false;
    }
    return true;
  };
}

function compileObject(def: Definition): Fit | null {
  const shape: Readonly<Record<string, unknown>> = Object(def["shape"]);
  const fields: { readonly key: string; readonly fit: Fit; readonly isOptional: boolean }[] = [];
  for (const [key, field] of Object.entries(shape)) {
    const isOptional = definitionOf(field)["type"] === "optional";
    const fit = compileType(isOptional ? definitionOf(field)["innerType"] : field);
    // A name that every object has would be found where the value has no such field.
    if (fit === null || key in Object.prototype) return null;
    fields.push({ key, fit, isOptional });
  }
  const rest = def["catchall"] === undefined ? "never" : definitionOf(def["catchall"])["type"];
  if (rest !== "never" && rest !== "unknown") return null;
  return (value) => {
    if (!isPlainObject(value)) return false;
    let present = 0;
    for (let i = 0; i < fields.length; i += 1) {
      const field = fields[i];
      if (field === undefined) return false;
      const member = value[field.key];
      if (member === undefined) {
        // Present and undefined is for the parser to judge.
        if (!field.isOptional || Object.hasOwn(value, field.key)) return false;
      } else {
        if (!field.fit(member)) return false;
        present += 1;
      }
    }
    if (rest === "unknown") return !Object.hasOwn(value, "__proto__");
    // A field too many is a fault, or one that the parser would leave out.
    let count = 0;
    for (const _ in value) count += 1;
    return present === count;
  };
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  return Object.getPrototypeOf(value) === Object.prototype;
}

function compileChecks(checks: unknown): Fit[] | null {
  if (checks === undefined) return [];
  if (!Array.isArray(checks)) return null;
  const fits: Fit[] = [];
  for (const check of checks) {
    const fit = compileCheck(definitionOf(check));
    if (fit === null) return null;
    fits.push(fit);
  }
  return fits;
}

function compileCheck(def: Definition): Fit | null {
  const bound = def["value"] ?? def["minimum"] ?? def["maximum"];
  switch (def["check"]) {
    case "min_length":
      return typeof bound === "number" ? (value) => lengthOf(value) >= bound : null;
    case "max_length":
      return typeof bound === "number" ? (value) => lengthOf(value) <= bound : null;
    case "greater_than":
      if (typeof bound !== "number") return null;
      return def["inclusive"] === true ? (value) => Number(value) >= bound : (value) => Number(value) > bound;
    case "less_than":
      if (typeof bound !== "number") return null;
      return def["inclusive"] === true ? (value) => Number(value) <= bound : (value) => Number(value) < bound;
    case "string_format":
      return compilePattern(def);
    case "custom":
      return compileRefinement(def);
    default:
      return null;
  }
}

function lengthOf(value: unknown): number {
  return typeof value === "string" || Array.isArray(value) ? value.length : Number.NaN;
}

function compilePattern({ format, pattern }: Definition): Fit | null {
  // A pattern with a memory of where it stood would answer differently each time.
  if (format !== "regex" || !(pattern instanceof RegExp) || pattern.global || pattern.sticky) return null;
  return (value) => typeof value === "string" && pattern.test(value);
}

function compileRefinement({ fn, when }: Definition): Fit | null {
  if (typeof fn !== "function" || when !== undefined) return null;
  // A refinement that throws or promises is left to the parser.
  return (value) => {
    try {
      return fn(value) === true;
    } catch {
      return false;
    }
  };
}
