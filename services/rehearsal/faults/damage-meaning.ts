import { isRecord } from "#shared/json";
import { pick } from "../seeded.ts";
import { replaceAt } from "../replace-at.ts";
import type { Damage } from "./damage-syntax.ts";

type Path = readonly (string | number)[];

interface Leaf {
  readonly path: Path;
  readonly value: unknown;
}

/** Lists the scalars of an answer with their paths, within a limit. */
function leavesOf(value: unknown, path: Path = []): Leaf[] {
  if (path.length > 8) return [];
  if (Array.isArray(value))
    return value.slice(0, 100).flatMap((item, index) => leavesOf(item, [...path, index]));
  if (isRecord(value)) return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]));
  return [{ path, value }];
}

/** Writes a number with a unit, or a boolean as a word. */
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

/** The object with the answer's members: the answer itself, or the only member of a wrapper. */
function coreOf(
  answer: unknown,
): { readonly path: Path; readonly core: { readonly [key: string]: unknown } } | null {
  const path: string[] = [];
  let core = answer;
  while (isRecord(core) && path.length < 8) {
    const [key, ...others] = Object.keys(core);
    const inner = key === undefined ? undefined : core[key];
    if (key === undefined || others.length > 0 || !isRecord(inner)) return { path, core };
    path.push(key);
    core = inner;
  }
  return null;
}

/** Drops a member, preferably not the first, which is often a discriminator. */
export const missingField: Damage = ({ answer, random }) => {
  const found = coreOf(answer);
  const keys = Object.keys(found?.core ?? {});
  const dropped = pick(keys.length > 1 ? keys.slice(1) : keys, random);
  if (found === null || dropped === undefined) return null;
  const kept = Object.entries(found.core).filter(([key]) => key !== dropped);
  return JSON.stringify(replaceAt(answer, found.path, Object.fromEntries(kept)));
};

/** Renames a member slightly: camel case, capitals, spaces. */
export const nearMissKey: Damage = ({ answer, random }) => {
  const found = coreOf(answer);
  const key = pick(Object.keys(found?.core ?? {}), random);
  if (found === null || key === undefined) return null;
  const spelled =
    pick([toCamel(key), key.toUpperCase(), toTitle(key), key.replaceAll("_", "-")], random) ?? key;
  const near = spelled === key ? toTitle(key) : spelled;
  if (near === key || Object.hasOwn(found.core, near)) return null;
  const renamed = Object.entries(found.core).map(([each, value]) => [each === key ? near : each, value]);
  return JSON.stringify(replaceAt(answer, found.path, Object.fromEntries(renamed)));
};

function toCamel(key: string): string {
  return key.replaceAll(/[_-]+([a-z])/g, (_, character: string) => character.toUpperCase());
}

function toTitle(key: string): string {
  return key
    .split(/[_-]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(" ");
}

/** Decorates an enum value so that first aid can repair it, or replaces it by a sentence, which it cannot. */
export const badEnum: Damage = ({ answer, schema, random }) => {
  const members = JSON.stringify(schema);
  const leaf = pick(
    leavesOf(answer).filter(({ value }) => typeof value === "string" && members.includes(`"${value}"`)),
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

/** Adds undeclared members. */
export const extraKeys: Damage = ({ answer }) => {
  const found = coreOf(answer);
  if (found === null || Object.hasOwn(found.core, "explanation")) return null;
  const chatty = {
    explanation: "I read the message carefully and chose the most fitting values.",
    ...found.core,
    additional_notes: "No further remarks.",
  };
  return JSON.stringify(replaceAt(answer, found.path, chatty));
};
