import type { JsonSchema } from "#shared/json";
import { isRecord } from "#shared/json";
import { pick } from "../seeded.ts";

/** A field to fill: its name, its schema and what stands there. */
export interface Wanted {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly present: unknown;
}

export interface Search {
  /** JSON in which a key of the same name is looked for. */
  readonly trees: readonly unknown[];
  /** Texts, best first. */
  readonly texts: readonly string[];
  /** Makes up what is not found; null where it must not. */
  readonly invents: (() => number) | null;
}

const DEPTH_MAX = 12;
const FREE_TEXT_CHARACTERS_MAX = 300;
// A number that is no part of an identifier, date or version.
const NUMBER = /(?<![\w#.,/-])\d+(?:[.,]\d{1,2})?(?![\w/-]|[.,]\d)/g;
const EMAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/g;

/** Finds a field's value: what stands there read as its type, a key of its name elsewhere, or the only fit in a text. */
export function findValue(wanted: Wanted, { trees, texts, invents }: Search): unknown {
  const { name, schema, present } = wanted;
  const candidates = [
    ...(present === undefined ? [] : [present]),
    ...trees.flatMap((tree) => valuesNamed(plain(name), tree)),
  ].map((one) => readAs(schema, one));
  const found = [...candidates, ...texts.map((text) => onlyFit(schema, text))].find(
    (one) => one !== undefined && one !== present,
  );
  return found ?? schema["default"] ?? (invents === null ? undefined : inventValue(schema, invents));
}

/** Values of keys that differ from a name in case and punctuation at most. */
function valuesNamed(name: string, tree: unknown, depth = 0): unknown[] {
  if (depth > DEPTH_MAX || typeof tree !== "object" || tree === null) return [];
  return Object.entries(tree).flatMap(([key, value]) => [
    ...(!Array.isArray(tree) && plain(key) === name ? [value] : []),
    ...valuesNamed(name, value, depth + 1),
  ]);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z\d]/g, "");
}

/** Reads a value as its schema's type; undefined when it is none. */
function readAs(schema: JsonSchema, value: unknown): unknown {
  const members = membersOf(schema);
  if (members !== null) return members.includes(value) ? value : onlyFit(schema, String(value));
  switch (schema["type"]) {
    case "number":
    case "integer":
      return typeof value === "number" ? value : onlyFit(schema, String(value));
    case "boolean":
      return typeof value === "boolean"
        ? value
        : { yes: true, true: true, no: false, false: false }[String(value)];
    case "string":
      return typeof value === "string" || typeof value === "number"
        ? onlyFit(schema, String(value))
        : undefined;
    case "array":
      return Array.isArray(value) ? value : typeof value === "string" ? [value] : undefined;
    default:
      return isRecord(value) ? value : undefined;
  }
}

/** The only part of a text that fits; undefined for none, or for several that differ. */
function onlyFit(schema: JsonSchema, text: string): unknown {
  const fits = new Set(fitsIn(schema, text));
  return fits.size === 1 ? [...fits][0] : undefined;
}

function fitsIn(schema: JsonSchema, text: string): readonly unknown[] {
  const { type, pattern, format } = schema;
  const members = membersOf(schema);
  if (members !== null) return members.filter((member) => standsIn(text, String(member)));
  if (type === "number" || type === "integer")
    return [...text.matchAll(NUMBER)]
      .map(([digits]) => Number(digits.replace(",", ".")))
      .filter((value) => type === "number" || Number.isInteger(value));
  if (type !== "string") return [];
  if (format === "email") return text.match(EMAIL) ?? [];
  if (typeof pattern === "string") return text.match(unanchored(pattern)) ?? [];
  const written = text.trim().slice(0, Number(schema["maxLength"] ?? FREE_TEXT_CHARACTERS_MAX));
  return schema["x-surgeon-writes"] === true && format === undefined ? [written] : [];
}

function standsIn(text: string, member: string): boolean {
  return text.toLowerCase().includes(member.toLowerCase().replaceAll(/[_-]+/g, " "));
}

/** Members of an enum or const; null for other schemas. */
function membersOf(schema: JsonSchema): readonly unknown[] | null {
  if ("const" in schema) return [schema["const"]];
  return Array.isArray(schema["enum"]) ? schema["enum"] : null;
}

/** Removes a pattern's anchors. An invalid pattern matches nothing. */
function unanchored(pattern: string): RegExp {
  try {
    return new RegExp(`(?<![\\w-])(?:${pattern.replace(/^\^/, "").replace(/\$$/, "")})(?![\\w-])`, "g");
  } catch {
    return /(?!)/g;
  }
}

/** Makes up a value that fits a simple schema; undefined for others. */
function inventValue(schema: JsonSchema, random: () => number): unknown {
  const { type, pattern, format } = schema;
  const members = membersOf(schema);
  if (members !== null) return pick(members, random);
  if (type === "integer") return Math.max(Number(schema["minimum"] ?? 1), 1 + Math.floor(random() * 9));
  if (type === "number") return Math.round(1_000 + random() * 9_000) / 100;
  if (type === "boolean") return random() < 0.5;
  if (type !== "string") return undefined;
  if (format === "email") return "customer@example.com";
  return pattern === undefined && format === undefined ? "Not specified" : undefined;
}
