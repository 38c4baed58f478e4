import { pointerStep } from "#shared/json";
import type { EnvelopeLimits } from "../bounds.ts";
import { JsonBoundError } from "../errors.ts";
import type { BoundCode } from "../errors.ts";

/** A fault on its way up the recursion: each level prepends its step, so that a valid value costs nothing. */
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

/** Checks a value against a message's limits. @returns The keys of its objects. @throws {JsonBoundError} */
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

/** Returns true if a text is within limits and lost no key in parsing, by its colons. False is inconclusive. */
export function isAllOf(text: string, value: unknown, limits: EnvelopeLimits): boolean {
  if (text.includes(ESCAPED_COLON_BEGINS)) return false;
  const walk = new BoundsWalk(limits, true);
  if (walk.find(value) !== undefined || walk.mayHaveLostDigits) return false;
  return colonsIn(text) === walk.keys + walk.colons;
}

/** Minimum length of a wrapped base64 line (MIME 76, PEM 64), after which a line break does not end the run. */
const WRAPPED_LINE_CHARS_MIN = 60;

const UPPER = 1;
const LOWER = 2;
const DIGIT = 4;
const OTHER = 8;

/** Class of each character in the base64 or base64url alphabets; 0 outside of them. */
const KIND = new Uint8Array(128);
for (let code = 65; code <= 90; code += 1) KIND[code] = UPPER;
for (let code = 97; code <= 122; code += 1) KIND[code] = LOWER;
for (let code = 48; code <= 57; code += 1) KIND[code] = DIGIT;
for (const char of "+/-_") KIND[char.charCodeAt(0)] = OTHER;

const NEW_LINE = 10;
const RETURN = 13;

function kindOf(code: number): number {
  return code < 128 ? (KIND[code] ?? 0) : 0;
}

/** Returns true for characters within a run: those of the alphabet, and line breaks that may wrap it. */
function continues(code: number): boolean {
  return kindOf(code) !== 0 || code === NEW_LINE || code === RETURN;
}

/**
 * Returns true if a text contains base64 longer than `charsMax`, alone, in a data URI, in prose or in wrapped lines. A
 * run has upper case, lower case and digits, unlike rules and hex digests. Sublinear on prose: a run that is too long
 * covers one of every `charsMax + 1` positions.
 */
export function holdsBase64(text: string, charsMax: number): boolean {
  let read = 0;
  for (let place = charsMax; place < text.length;) {
    if (!continues(text.charCodeAt(place))) {
      place += charsMax + 1;
      continue;
    }
    let start = place;
    while (start > read && continues(text.charCodeAt(start - 1))) start -= 1;
    const end = endOfRuns(text, start, charsMax);
    if (end === -1) return true;
    read = end;
    place = Math.max(end + charsMax, place + 1);
  }
  return false;
}

/** Returns the first position after `start` that no run can contain; -1 if a run is too long. */
function endOfRuns(text: string, start: number, charsMax: number): number {
  let run = 0;
  let line = 0;
  let kinds = 0;
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const kind = kindOf(code);
    if (kind !== 0) {
      run += 1;
      line += 1;
      kinds |= kind;
      if (run > charsMax && (kinds & 7) === 7) return -1;
    } else if (code === NEW_LINE && line >= WRAPPED_LINE_CHARS_MIN) {
      line = 0;
    } else if (code !== RETURN || line < WRAPPED_LINE_CHARS_MIN) {
      run = 0;
      line = 0;
      kinds = 0;
      if (code !== NEW_LINE && code !== RETURN) return at;
    }
  }
  return at;
}
