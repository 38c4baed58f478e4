import type { JsonSchema } from "#shared/json";
import { asSchema, cachedBy, literalsOf } from "#shared/schema";
import { folded, unaccented, wordsOf } from "./match-words.ts";
import { groupBy } from "../group-by.ts";

/** A match between a name in the text and a property. */
export interface NameMatch {
  readonly property: string;
  readonly step: "name_spelling" | "name_alias" | "name_near_miss";
  readonly cost: number;
}

/** Returns the index of a schema's `properties`, cached by schema object. */
export const indexNames = cachedBy((properties: JsonSchema) => {
  const keys = Object.keys(properties);
  const pairs = keys.flatMap((property) =>
    aliasesOf(properties[property]).map((alias) => ({ property, key: folded(alias) })),
  );
  const shapes = keys.map((property) => ({ property, words: wordsOf(property) }));
  return {
    byFolded: groupBy(keys, folded),
    byAlias: new Map(
      [...groupBy(pairs, (pair) => pair.key)].map(([key, same]) => [key, same.map((pair) => pair.property)]),
    ),
    // By word count, first letters and words with digits, which a typo does not change.
    byShape: groupBy(shapes, ({ words }) => shapeOf(words)),
  };
});

function shapeOf(words: readonly string[]): string {
  return words.map((word) => (/\d/.test(word) ? word : (word[0] ?? ""))).join(" ");
}

/**
 * Finds the property outside of `taken` that a name means: by spelling, by alias, or as one slip a word.
 * @param ask.spend - Called with the number of comparisons that looking for slips takes.
 * @returns One match; `ambiguous` where two are equally good; undefined where there is none.
 */
export function matchName(
  name: string,
  ask: {
    readonly taken: ReadonlySet<string>;
    readonly index: ReturnType<typeof indexNames>;
    readonly spend: (steps: number) => void;
  },
): NameMatch | "ambiguous" | undefined {
  if (name === "__proto__" || name.length > 200) return undefined;
  const isFree = (property: string): boolean => !ask.taken.has(property);
  const plain = folded(name);
  const exact = plain === "" ? [] : (ask.index.byFolded.get(plain) ?? []).filter(isFree);
  if (exact.length > 0) {
    return only(exact, { step: "name_spelling", cost: unaccented(name) === name ? 1 : 2 });
  }
  const aliased = [...new Set(ask.index.byAlias.get(plain))].filter(isFree);
  if (aliased.length > 0) return only(aliased, { step: "name_alias", cost: 1 });
  const words = wordsOf(name);
  const alike = ask.index.byShape.get(shapeOf(words)) ?? [];
  ask.spend(alike.length * 30);
  const near = alike.filter((one) => isFree(one.property) && isNearMiss(words, one.words));
  return near.length === 0
    ? undefined
    : only(
        near.map((one) => one.property),
        { step: "name_near_miss", cost: 5 },
      );
}

function only(found: readonly string[], how: Omit<NameMatch, "property">): NameMatch | "ambiguous" {
  const [property] = found;
  return property === undefined || found.length > 1 ? "ambiguous" : { property, ...how };
}

function aliasesOf(schema: unknown): string[] {
  const aliases = asSchema(schema)?.["x-aliases"];
  return Array.isArray(aliases) ? aliases.filter((alias) => typeof alias === "string") : [];
}

/** Index of the first character of a text that another one does not have there; its length for none. */
function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** Compares word by word, with at most one typo a word and two in all. */
function isNearMiss(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  let total = 0;
  for (const [index, word] of one.entries()) {
    total += slipsBetween(word, other[index] ?? "");
    if (total > 2) return false;
  }
  return total > 0;
}

/**
 * Returns 0 for equal words, 1 for one typo (missing, extra, doubled or swapped characters, or a wrong one in the
 * middle of a long word), else 9. Digits, first and last letters must agree: `payer` and `payee` differ.
 */
function slipsBetween(word: string, other: string): number {
  if (word === other) return 0;
  if (Math.min(word.length, other.length) < 4 || word[0] !== other[0] || /\d/.test(word + other)) return 9;
  const at = firstDifference(word, other);
  const [rest, otherRest] = [word.slice(at), other.slice(at)];
  const isReplaced = word.length >= 6 && at < word.length - 2 && rest.slice(1) === otherRest.slice(1);
  const isSwapped =
    rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2);
  return rest.slice(1) === otherRest || rest === otherRest.slice(1) || isSwapped || isReplaced ? 1 : 9;
}

/** Returns true for folded names that differ in one character, or of which one begins or ends with the other. */
export function isAlike(name: string, other: string): boolean {
  if (Math.min(name.length, other.length) < 4) return name.length > 2 && other.startsWith(name);
  const at = firstDifference(name, other);
  const [rest, otherRest] = [name.slice(at), other.slice(at)];
  return (
    rest === "" ||
    otherRest === "" ||
    name.endsWith(other) ||
    other.endsWith(name) ||
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1) ||
    rest.slice(1) === otherRest.slice(1)
  );
}

/** Returns true for names of failure reports, which are never unwrapped as answers. */
export function isErrorName(name: string): boolean {
  return /^(?:errors?|exceptions?|faults?|fail(?:ure|ed)?s?|warnings?|problems?|refusals?)$/.test(
    folded(name),
  );
}

/** Returns true when a member is named like its list or parent: `steps` contains objects with a `step`. */
export function isNameOf(key: string, name: string): boolean {
  return key === name || (key.length > 2 && [`${folded(key)}s`, `${folded(key)}es`].includes(folded(name)));
}

/** All names that a schema declares at any depth, folded. Cached. */
export const namesOf = cachedBy(
  (schema: JsonSchema): ReadonlySet<string> => new Set([...literalsOf(schema).names].map(folded)),
);
