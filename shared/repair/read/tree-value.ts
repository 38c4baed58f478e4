import { canonical } from "#shared/schema";
import type { JsonObject, JsonValue } from "#shared/schema";
import { ReadRefusal } from "./reader.ts";
import type { Tree } from "./tree.ts";

/**
 * Converts a tree to a plain value. Cached by tree, so that validation results can be shared: copy the value before
 * changing it.
 * @throws {ReadRefusal} `duplicate_key`: one name with two values; `unsafe_name`: a member `__proto__`; `mismatch`: a
 * number without a JSON form.
 */
export function toValue(tree: Tree): JsonValue {
  if (tree.kind === "string") return tree.text;
  if (tree.kind === "literal") return tree.value;
  if (tree.kind === "number") return numberOf(tree.raw);
  tree.value ??= tree.kind === "array" ? tree.items.map(toValue) : membersOf(tree);
  return tree.value;
}

/** Longer numbers have digits that none can hold, and take long to convert. */
const NUMBER_CHARS_MAX = 4096;

/** 1e999 would become infinite, which JSON writes as null. */
function numberOf(raw: string): number {
  if (raw.length > NUMBER_CHARS_MAX) throw ReadRefusal.of("mismatch");
  const number = Number(raw);
  if (!Number.isFinite(number)) throw ReadRefusal.of("mismatch");
  return number;
}

function membersOf(tree: Tree & { kind: "object" }): JsonObject {
  const value: JsonObject = {};
  for (const entry of tree.entries) {
    if (entry.key === "__proto__") throw ReadRefusal.of("unsafe_name");
    const member = toValue(entry.value);
    if (Object.hasOwn(value, entry.key) && canonical(value[entry.key] ?? null) !== canonical(member)) {
      throw ReadRefusal.of("duplicate_key");
    }
    value[entry.key] = member;
  }
  return value;
}

/**
 * Converts a plain value to a tree.
 * @throws {ReadRefusal} `too_deep` beyond `depthMax` levels.
 */
export function fromValue(value: JsonValue, depthMax: number): Tree {
  if (depthMax < 0) throw ReadRefusal.of("too_deep");
  if (value === null || typeof value === "boolean") return { kind: "literal", value };
  if (typeof value === "string") return { kind: "string", text: value, bare: false };
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw ReadRefusal.of("mismatch");
    return { kind: "number", raw: String(value) };
  }
  if (Array.isArray(value))
    return { kind: "array", items: value.map((item) => fromValue(item, depthMax - 1)) };
  if (typeof value !== "object") throw ReadRefusal.of("mismatch");
  const entries = Object.keys(value).map((key) => ({
    key,
    value: fromValue(value[key] ?? null, depthMax - 1),
  }));
  return { kind: "object", entries };
}
