import { pointerStep } from "#shared/json";
import type { EnvelopeLimits } from "../bounds.ts";
import { JsonBoundError } from "../errors.ts";
import type { BoundCode } from "../errors.ts";
import { holdsBase64 } from "./find-base64.ts";

/**
 * A fault on its way up the recursion: each level prepends its own step to the path, so that a valid value costs
 * nothing.
 */
interface Fault {
  readonly code: BoundCode;
  readonly problem: string;
  path: string;
}

/** A UTF-16 unit takes at most 3 bytes in UTF-8, so most strings need not be measured. */
const BYTES_PER_UNIT_MAX = 3;

function fault(code: BoundCode, problem: string): Fault {
  return { code, problem, path: "" };
}

function findInString(text: string, limits: EnvelopeLimits): Fault | undefined {
  const bytesMax = limits.stringBytesMax;
  const isLong = text.length * BYTES_PER_UNIT_MAX > bytesMax && Buffer.byteLength(text) > bytesMax;
  if (isLong) return fault("string_too_long", `A string has more than ${bytesMax} bytes`);
  return text.length > limits.base64CharsMax && holdsBase64(text, limits.base64CharsMax)
    ? fault("base64_blob", "A string holds base64 content")
    : undefined;
}

/** Returns true for keys that reach a prototype in careless code. A plain field called `constructor` is allowed. */
function isPrototypeKey(key: string, value: unknown): boolean {
  if (key === "__proto__") return true;
  return (
    key === "constructor" && typeof value === "object" && value !== null && Object.hasOwn(value, "prototype")
  );
}

function colonsIn(text: string): number {
  let colons = 0;
  for (let at = text.indexOf(":"); at !== -1; at = text.indexOf(":", at + 1)) colons += 1;
  return colons;
}

/** Start of `\\u003a`. */
const ESCAPED_COLON_BEGINS = "\\u003";

/** Integers of up to 15 digits are exact in a double; larger ones may have lost digits. */
const MAY_HAVE_LOST_DIGITS_FROM = 1e15;

/** One walk over one value. Returns the first fault it meets. */
class BoundsWalk {
  keys = 0;
  private depth = 0;
  private readonly limits: EnvelopeLimits;
  /** Colons in all keys and strings; counted only if the value's text is at hand. */
  colons = 0;
  private readonly countsColons: boolean;
  mayHaveLostDigits = false;

  constructor(limits: EnvelopeLimits, countsColons = false) {
    this.limits = limits;
    this.countsColons = countsColons;
  }

  find(value: unknown): Fault | undefined {
    switch (typeof value) {
      case "string":
        return this.findInText(value);
      case "boolean":
        return undefined;
      case "number":
        if (Math.abs(value) >= MAY_HAVE_LOST_DIGITS_FROM) this.mayHaveLostDigits = true;
        return Number.isFinite(value) ? undefined : fault("number_not_finite", "A number is not finite");
      case "object":
        return value === null ? undefined : this.findBelow(value);
      default:
        return fault("not_json", "A value is not plain JSON");
    }
  }

  private findInText(text: string): Fault | undefined {
    if (this.countsColons) this.colons += colonsIn(text);
    return findInString(text, this.limits);
  }

  private findBelow(value: object): Fault | undefined {
    this.depth += 1;
    if (this.depth > this.limits.depthMax) {
      return fault("too_deep", `Objects and arrays are nested deeper than ${this.limits.depthMax}`);
    }
    const found = Array.isArray(value) ? this.findInArray(value) : this.findInObject(value);
    this.depth -= 1;
    return found;
  }

  private findInArray(items: readonly unknown[]): Fault | undefined {
    for (let i = 0; i < items.length; i += 1) {
      const found = this.find(items[i]);
      if (found !== undefined) {
        found.path = pointerStep(i) + found.path;
        return found;
      }
    }
    return undefined;
  }

  private findInObject(value: object): Fault | undefined {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) {
      return fault("not_json", "A value is not plain JSON");
    }
    // For a plain object, reading by key is safe, and twice as fast as entries.
    const fields = value as Readonly<Record<string, unknown>>;
    for (const key of Object.keys(fields)) {
      const child = fields[key];
      // JSON omits undefined fields.
      if (child === undefined) continue;
      const found = this.findInField(key, child);
      if (found !== undefined) {
        found.path = pointerStep(key) + found.path;
        return found;
      }
    }
    return undefined;
  }

  private findInField(key: string, child: unknown): Fault | undefined {
    this.keys += 1;
    if (this.keys > this.limits.keysMax) return fault("too_many_keys", "There are too many keys");
    if (isPrototypeKey(key, child)) return fault("prototype_key", "A key reaches for the prototype");
    return this.findInText(key) ?? this.find(child);
  }
}

/**
 * Checks a value, parsed or created here, against the size limits of a message. Cycles end at the depth limit.
 *
 * @returns The number of keys of all its objects.
 * @throws {JsonBoundError} Names the first field that breaks a limit.
 */
export function checkValue(value: unknown, limits: EnvelopeLimits): number {
  const walk = new BoundsWalk(limits);
  const found = walk.find(value);
  if (found !== undefined) {
    throw new JsonBoundError({ bound: found.code, path: found.path, problem: found.problem });
  }
  return walk.keys;
}

/** Returns true if the value of an envelope's field is within the limits, one level below it. */
export function isWithinBounds(part: unknown, limits: EnvelopeLimits): boolean {
  return new BoundsWalk({ ...limits, depthMax: limits.depthMax - 1 }).find(part) === undefined;
}

/**
 * Returns true if a text that parsed to `value` is within the limits and lost nothing in parsing: no duplicate key,
 * no rounded integer. In a text without escaped colons every colon follows a key or is in a string, so a dropped key
 * leaves one too many. False is inconclusive.
 */
export function isAllOf(text: string, value: unknown, limits: EnvelopeLimits): boolean {
  if (text.includes(ESCAPED_COLON_BEGINS)) return false;
  const walk = new BoundsWalk(limits, true);
  if (walk.find(value) !== undefined || walk.mayHaveLostDigits) return false;
  return colonsIn(text) === walk.keys + walk.colons;
}
