import { z } from "zod";
import type { JsonSchema } from "#shared/json";
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
const WORD = /[\p{L}\p{N}](?:\S*[\p{L}\p{N}])?/gu;

/** Finds a field's value: what stands there, a key of its name elsewhere, or the only word of a text that fits. */
export function findValue({ name, schema, present }: Wanted, { trees, texts, invents }: Search): unknown {
  const fits = fitsOf(schema);
  const candidates = [present, ...trees.flatMap((tree) => valuesNamed(plain(name), tree))].map((one) =>
    fits(one) || one === undefined
      ? one
      : onlyFit({ schema, fits }, typeof one === "string" ? one : JSON.stringify(one)),
  );
  const found = [...candidates, ...texts.map((text) => onlyFit({ schema, fits }, text))].find(
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

function fitsOf(schema: JsonSchema): (value: unknown) => boolean {
  try {
    const known = z.fromJSONSchema(schema);
    return (value) => value !== undefined && known.safeParse(value).success;
  } catch {
    return () => false;
  }
}

/** Returns the only thing in a text that fits; undefined for none, or for several that differ. */
function onlyFit(
  { schema, fits }: { readonly schema: JsonSchema; readonly fits: (value: unknown) => boolean },
  text: string,
): unknown {
  const { type, pattern, format } = schema;
  const read = (): readonly unknown[] => {
    const members = membersOf(schema);
    if (members !== null) return members.filter((member) => standsIn(text, String(member)));
    const words = text.match(WORD) ?? [];
    if (type === "number" || type === "integer") return words.map((word) => Number(word.replace(",", ".")));
    if (type !== "string") return [];
    if (pattern !== undefined || format !== undefined) return words;
    const length = Number(schema["maxLength"] ?? FREE_TEXT_CHARACTERS_MAX);
    return schema["x-surgeon-writes"] === true ? [text.trim().slice(0, length)] : [];
  };
  const found = new Set(read().filter(fits));
  return found.size === 1 ? [...found][0] : undefined;
}

function standsIn(text: string, member: string): boolean {
  return text.toLowerCase().includes(member.toLowerCase().replaceAll(/[_-]+/g, " "));
}

/** Members of an enum or const; null for other schemas. */
function membersOf(schema: JsonSchema): readonly unknown[] | null {
  if ("const" in schema) return [schema["const"]];
  return Array.isArray(schema["enum"]) ? schema["enum"] : null;
}

/** Makes up a value that fits a simple schema; undefined for others. */
function inventValue(schema: JsonSchema, random: () => number): unknown {
  const { type, pattern, format } = schema;
  const members = membersOf(schema);
  if (members !== null) return pick(members, random);
  if (type === "integer") return Math.max(Number(schema["minimum"] ?? 1), 1 + Math.floor(random() * 9));
  if (type === "number") return Math.round(1_000 + random() * 9_000) / 100;
  return type === "string" && pattern === undefined && format === undefined ? "Not specified" : undefined;
}
