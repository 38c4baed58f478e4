import { pick } from "../seeded.ts";
import { isRecord } from "./damage.ts";
import type { Damage, Intact } from "./damage.ts";

type Path = readonly (string | number)[];

interface Leaf {
  readonly path: Path;
  readonly value: unknown;
}

/** Every bare value of an answer with its place. Bounded, because stand-ins may answer with anything. */
function leavesOf(value: unknown, path: Path = []): Leaf[] {
  if (path.length > 8) return [];
  if (Array.isArray(value))
    return value.slice(0, 100).flatMap((item, index) => leavesOf(item, [...path, index]));
  if (isRecord(value)) return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]));
  return [{ path, value }];
}

function replaceAt(value: unknown, path: Path, replacement: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return replacement;
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => (index === step ? replaceAt(item, rest, replacement) : item));
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === step ? replaceAt(item, rest, replacement) : item,
    ]),
  );
}

/** A number as a person would write it, or a boolean as a word. */
export const wrongType: Damage = ({ answer, random }) => {
  const leaf = pick(
    leavesOf(answer).filter(({ value }) => typeof value === "number" || typeof value === "boolean"),
    random,
  );
  if (leaf === undefined) return null;
  return JSON.stringify(replaceAt(answer, leaf.path, asWords(leaf.value, random)));
};

function asWords(value: unknown, random: () => number): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  const number = Number(value);
  return pick([`€ ${number.toFixed(2)}`, `${number} EUR`, `about ${number}`, String(number)], random) ?? "";
}

/** A member left out: preferably not the first, which often says what kind of answer it is. */
export const missingField: Damage = ({ answer, random }) => {
  if (!isRecord(answer)) return null;
  const keys = Object.keys(answer);
  const dropped = pick(keys.length > 1 ? keys.slice(1) : keys, random);
  if (dropped === undefined) return null;
  return JSON.stringify(Object.fromEntries(Object.entries(answer).filter(([key]) => key !== dropped)));
};

/** A member under a name that is nearly right: camel case, capitals, spaces. */
export const nearMissKey: Damage = ({ answer, random }) => {
  if (!isRecord(answer)) return null;
  const key = pick(Object.keys(answer), random);
  if (key === undefined) return null;
  const spelled =
    pick([toCamel(key), key.toUpperCase(), toTitle(key), key.replaceAll("_", "-")], random) ?? key;
  const near = spelled === key ? toTitle(key) : spelled;
  if (near === key || near in answer) return null;
  return JSON.stringify(
    Object.fromEntries(Object.entries(answer).map(([each, value]) => [each === key ? near : each, value])),
  );
};

function toCamel(key: string): string {
  return key.replaceAll(/[_-]+([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function toTitle(key: string): string {
  return key
    .split(/[_-]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(" ");
}

/** An enum's value with decoration that first aid takes off, or as a sentence of the model's own, which it cannot. */
export const badEnum: Damage = ({ answer, schema, random }) => {
  const enums = enumsByProperty(schema);
  const leaf = pick(
    leavesOf(answer).filter(({ path, value }) => enums.get(String(path.at(-1)))?.includes(value) ?? false),
    random,
  );
  if (leaf === undefined) return null;
  const value = String(leaf.value);
  const words = value.replaceAll(/[_-]+/g, " ");
  const spoiled = pick(
    [words.toUpperCase(), `**${toTitle(value)}**`, `${words}-like`, `mostly about ${words}s`],
    random,
  );
  return JSON.stringify(replaceAt(answer, leaf.path, spoiled));
};

/** The members of every string enum of a schema, by the property they belong to. */
function enumsByProperty(schema: Intact["schema"]): ReadonlyMap<string, readonly unknown[]> {
  const found = new Map<string, unknown[]>();
  const visit = (node: unknown, property: string | null, depth: number): void => {
    if (depth > 20) return;
    if (Array.isArray(node)) for (const item of node) visit(item, property, depth + 1);
    if (!isRecord(node)) return;
    const members = node["enum"];
    if (property !== null && Array.isArray(members))
      found.set(property, [...(found.get(property) ?? []), ...members]);
    for (const [keyword, value] of Object.entries(node)) {
      if (keyword === "properties" && isRecord(value)) {
        for (const [name, inner] of Object.entries(value)) visit(inner, name, depth + 1);
      } else if (keyword !== "enum") {
        visit(value, property, depth + 1);
      }
    }
  };
  visit(schema, null, 0);
  return found;
}

/** Remarks that nobody asked for, as further members. */
export const extraKeys: Damage = ({ answer }) => {
  if (!isRecord(answer) || "explanation" in answer) return null;
  return JSON.stringify({
    explanation: "I read the message carefully and chose the most fitting values.",
    ...answer,
    additional_notes: "No further remarks.",
  });
};
