import { isDeepStrictEqual } from "node:util";
import { firstAid } from "#shared/repair";
import { validate } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import type { FuzzCase } from "./make-text.ts";

/**
 * Reads a text and holds first aid to its laws: it never throws; what it gives satisfies the schema, consists of plain
 * objects, lists and scalars, and is given again for its own text; and no prototype is touched.
 *
 * @returns The law that does not hold; undefined where all do.
 */
export function findBrokenLaw({ input, schema }: FuzzCase): string | undefined {
  try {
    const result = firstAid(input, schema);
    if (isPrototypeTouched()) return "no prototype is touched";
    if (!result.ok) return undefined;
    const { value } = result;
    if (!isPlain(value)) return "what it gives is plain JSON";
    if (schema === undefined) return undefined;
    if (validate(value, schema).length > 0) return "what it gives satisfies the schema";
    const text = JSON.stringify(value);
    const again = firstAid(text, schema);
    const isSame = again.ok && again.cost === 0 && isDeepStrictEqual(again.value, JSON.parse(text));
    return isSame ? undefined : "its own answer needs no first aid";
  } catch (error) {
    return `never throws: ${String(error)}`;
  }
}

const PROTOTYPES = [Object, Array, String, Number, Boolean, Function, Map, Set, RegExp].map(
  (one): object => one.prototype,
);
const NAMES = PROTOTYPES.map((one) => Reflect.ownKeys(one).length);

function isPrototypeTouched(): boolean {
  return PROTOTYPES.some((one, at) => Reflect.ownKeys(one).length !== NAMES[at]);
}

/** Returns true for objects and lists without a prototype of their own, all the way down. */
function isPlain(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return typeof value !== "number" || Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isPlain);
  const isOrdinary = Object.getPrototypeOf(value) === Object.prototype && !Object.hasOwn(value, "__proto__");
  return isOrdinary && Object.values(value).every(isPlain);
}
