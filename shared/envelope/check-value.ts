import type { EnvelopeLimits } from "./bounds.ts";
import { JsonBoundError } from "./errors.ts";
import type { BoundCode } from "./errors.ts";
import { holdsBase64 } from "./find-base64.ts";
import { pointerStep } from "./pointer.ts";

/** A broken bound on its way up: each level puts its own step before the path, so that a sound value costs nothing. */
interface Fault {
  readonly code: BoundCode;
  readonly problem: string;
  path: string;
}

interface Walk {
  readonly limits: EnvelopeLimits;
  keys: number;
}

/** A UTF-16 unit becomes at most 3 bytes of UTF-8, so that most strings need not be measured. */
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

/** Keys through which careless code reaches a prototype. A plain field called `constructor` is only a word. */
function isPrototypeKey(key: string, value: unknown): boolean {
  if (key === "__proto__") return true;
  return (
    key === "constructor" && typeof value === "object" && value !== null && Object.hasOwn(value, "prototype")
  );
}

function findInArray(items: readonly unknown[], depth: number, walk: Walk): Fault | undefined {
  for (let i = 0; i < items.length; i += 1) {
    const found = find(items[i], depth + 1, walk);
    if (found !== undefined) {
      found.path = pointerStep(i) + found.path;
      return found;
    }
  }
  return undefined;
}

function findInField(key: string, child: unknown, depth: number, walk: Walk): Fault | undefined {
  walk.keys += 1;
  if (walk.keys > walk.limits.keysMax) return fault("too_many_keys", "There are too many keys");
  if (isPrototypeKey(key, child)) return fault("prototype_key", "A key reaches for the prototype");
  return findInString(key, walk.limits) ?? find(child, depth + 1, walk);
}

function findInObject(value: object, depth: number, walk: Walk): Fault | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    return fault("not_json", "A value is not plain JSON");
  // A plain object: reading its keys by name is safe, and twice as fast as asking for entries.
  const fields = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(fields)) {
    const child = fields[key];
    // Absent and undefined are the same in JSON.
    if (child === undefined) continue;
    const found = findInField(key, child, depth, walk);
    if (found !== undefined) {
      found.path = pointerStep(key) + found.path;
      return found;
    }
  }
  return undefined;
}

function find(value: unknown, depth: number, walk: Walk): Fault | undefined {
  switch (typeof value) {
    case "string":
      return findInString(value, walk.limits);
    case "boolean":
      return undefined;
    case "number":
      return Number.isFinite(value) ? undefined : fault("number_not_finite", "A number is not finite");
    case "object":
      if (value === null) return undefined;
      if (depth > walk.limits.depthMax) {
        return fault("too_deep", `Objects and arrays are nested deeper than ${walk.limits.depthMax}`);
      }
      return Array.isArray(value) ? findInArray(value, depth, walk) : findInObject(value, depth, walk);
    default:
      return fault("not_json", "A value is not plain JSON");
  }
}

/**
 * Holds a value, parsed or made here, against the bounds of what travels. Cycles end at the depth bound.
 *
 * @returns the number of keys of all its objects.
 * @throws {JsonBoundError} naming the first field that breaks a bound.
 */
export function checkValue(value: unknown, limits: EnvelopeLimits): number {
  const walk: Walk = { limits, keys: 0 };
  const found = find(value, 1, walk);
  if (found !== undefined) throw new JsonBoundError(found.code, found.path, found.problem);
  return walk.keys;
}
