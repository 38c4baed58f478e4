import { canonical } from "#shared/schema";
import type { JsonObject, JsonValue } from "#shared/schema";
import { ReadRefusal } from "./reader.ts";

/** A parsed text: like a JSON value, but with numbers as written, repeated names, and a flag for unquoted strings. */
export type Tree =
  | ({ readonly kind: "object"; readonly entries: readonly Entry[] } & Valued)
  | ({ readonly kind: "array"; readonly items: readonly Tree[] } & Valued)
  | { readonly kind: "string"; readonly text: string; readonly bare: boolean }
  | {
      readonly kind: "number";
      readonly raw: string;
      /** The original spelling where it is not JSON's, because a text property keeps the plus of `+47`, and `True`. */
      readonly written?: string;
    }
  | {
      readonly kind: "literal";
      readonly value: boolean | null;
      /** The original word where it is not JSON's, because `none` may be a member of an enum. */
      readonly written?: string;
    };

/** Cache of a container's plain value; a field, because a map of a million entries is expensive. */
interface Valued {
  value?: JsonValue;
}

export interface Entry {
  readonly key: string;
  readonly value: Tree;
}

export const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Returns the member of an object that has one alone. */
export function onlyEntry(tree: Tree): Entry | undefined {
  return tree.kind === "object" && tree.entries.length === 1 ? tree.entries[0] : undefined;
}

/** Makes one member, a list, of members with one name; a name that comes once keeps its value. */
export function grouped(entries: readonly Entry[]): Entry[] {
  return [...Map.groupBy(entries, ({ key }) => key)].map(([key, same]) => {
    const [only, ...others] = same.map(({ value }) => value);
    return {
      key,
      value:
        only !== undefined && others.length === 0
          ? only
          : { kind: "array", items: same.map(({ value }) => value) },
    };
  });
}

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

/** Literals of common languages, in any case. NaN has no JSON form but null. */
const LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ..."null none nil nothing undefined undef <nil> <null> nan infinity -infinity"
    .split(" ")
    .map((word) => [word, null] as const),
]);

const CHARS_MAX = 9;

/** Reads a literal of a common language; undefined for another text. Keeps how it was written where JSON has it not. */
export function literalOf(text: string): (Tree & { readonly kind: "literal" }) | undefined {
  const value = text.length > CHARS_MAX ? undefined : LITERALS.get(text.toLowerCase());
  if (value === undefined) return undefined;
  return { kind: "literal", value, ...(text !== String(value) && { written: text }) };
}

/** Reads a scalar without JSON quotes: `12`, `true`, `'it''s'`, `plain words`. Removes emphasis. */
export function plainScalar(written: string): Tree {
  const text = written.trim().replace(/^(\*\*|__|`)([^]+)\1$/, "$2");
  if (text === "~") return { kind: "literal", value: null, written: text };
  const literal = literalOf(text);
  if (literal !== undefined) return literal;
  if (JSON_NUMBER.test(text)) return { kind: "number", raw: text };
  const single = /^'((?:[^']|'')*)'$/.exec(text)?.[1];
  if (single !== undefined) return { kind: "string", text: single.replaceAll("''", "'"), bare: false };
  const double = /^"(?:[^"\\]|\\.)*"$/.test(text) ? unquoted(text) : undefined;
  return { kind: "string", text: double ?? text, bare: double === undefined };
}

function unquoted(text: string): string | undefined {
  try {
    // A quoted JSON text parses to a string and to nothing else.
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}

/** Strips emphasis, quotes and the colon from a name. Longer texts are no names. */
export function plainName(name: string): string {
  if (name.length > 200) return name;
  return name
    .trim()
    .replaceAll(/^[*_"'`]+|[*_"'`:]+$/g, "")
    .trim();
}
