import { canonical } from "#shared/schema";
import type { JsonObject, JsonValue } from "#shared/schema";
import { DEPTH_MAX } from "../bounds.ts";
import type { Work } from "../bounds.ts";
import type { RefusalCode } from "../first-aid-result.ts";
import { ReadRefusal, spend } from "./reader.ts";
import { literalOf } from "./tree.ts";
import type { Entry, Tree } from "./tree.ts";

interface Cursor {
  readonly text: string;
  at: number;
  readonly work: Work;
}

/** Builds the tree of JSON that `JSON.parse` accepted, with numbers as written and all names. @throws {ReadRefusal} */
export function readStrict(text: string, work: Work): Tree {
  return strictValue({ text, at: 0, work }, 0);
}

/** Skips blanks and separators, without checking them; returns the character behind them. */
function next(cursor: Cursor): string | undefined {
  for (;;) {
    const code = cursor.text.charCodeAt(cursor.at);
    // Blank, line break, tab, carriage return, comma, colon.
    if (code !== 32 && code !== 10 && code !== 9 && code !== 13 && code !== 44 && code !== 58)
      return cursor.text[cursor.at];
    cursor.at += 1;
  }
}

function strictValue(cursor: Cursor, depth: number): Tree {
  if (depth > DEPTH_MAX) throw ReadRefusal.of("too_deep");
  spend(cursor.work, 20);
  const char = next(cursor);
  if (char === "{" || char === "[") return strictContainer(cursor, depth);
  if (char === '"') return { kind: "string", text: strictString(cursor), bare: false };
  const from = cursor.at;
  cursor.at = endOfWord(cursor.text, from);
  const raw = cursor.text.slice(from, cursor.at);
  return literalOf(raw) ?? { kind: "number", raw };
}

/** Returns the end of a number or literal. */
function endOfWord(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code > 32 && code !== 44 && code !== 93 && code !== 125; at += 1)
    code = text.charCodeAt(at + 1);
  return at;
}

function strictString(cursor: Cursor): string {
  const from = cursor.at;
  let end = cursor.text.indexOf('"', from + 1);
  while (isEscaped(cursor.text, end)) end = cursor.text.indexOf('"', end + 1);
  cursor.at = end + 1;
  const inner = cursor.text.slice(from + 1, end);
  // `JSON.parse` of a quoted text returns a string.
  return inner.includes("\\") ? (JSON.parse(`"${inner}"`) as string) : inner;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === "\\") slashes += 1;
  return slashes % 2 === 1;
}

function strictContainer(cursor: Cursor, depth: number): Tree {
  const isList = cursor.text[cursor.at] === "[";
  const items: Tree[] = [];
  const entries: Entry[] = [];
  cursor.at += 1;
  while (next(cursor) !== (isList ? "]" : "}")) {
    if (isList) items.push(strictValue(cursor, depth + 1));
    else entries.push({ key: strictString(cursor), value: strictValue(cursor, depth + 1) });
  }
  cursor.at += 1;
  return isList ? { kind: "array", items } : { kind: "object", entries };
}

/** Converts a tree to a plain value, cached: copy it to change it. @throws {ReadRefusal} Names, or numbers. */
export function toValue(tree: Tree): JsonValue {
  if (tree.kind === "string") return tree.text;
  if (tree.kind === "literal") return tree.value;
  if (tree.kind === "number") return numberOf(tree.raw);
  tree.value ??= tree.kind === "array" ? tree.items.map(toValue) : membersOf(tree);
  return tree.value;
}

/** As `toValue`, with a refusal as a result. */
export function plainValue(
  tree: Tree,
): { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly code: RefusalCode } {
  try {
    return { ok: true, value: toValue(tree) };
  } catch (error) {
    if (error instanceof ReadRefusal) return { ok: false, code: error.code };
    throw error;
  }
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

/** Converts a plain value to a tree. @throws {ReadRefusal} `too_deep` beyond `depthMax` levels. */
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
