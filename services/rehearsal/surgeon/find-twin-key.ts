import { familyOf, wordsOf } from "./word-families.ts";

/** Finds the only member with a synonym of the wanted name; undefined for none, or two. */
export function findTwinKey(
  wanted: string,
  others: readonly string[],
  aliases: readonly string[],
): string | undefined {
  const family = new Set([...familyOf(wanted), ...aliases.map(wordsOf)]);
  const close = others.filter((key) => family.has(wordsOf(key)) || isNear(wordsOf(key), wordsOf(wanted)));
  return close.length === 1 ? close[0] : undefined;
}

/** Returns true when at most two letters in five differ. */
function isNear(a: string, b: string): boolean {
  const [left, right] = [a.replaceAll(" ", ""), b.replaceAll(" ", "")];
  if (left.length > 64 || right.length > 64) return false;
  return distance(left, right) <= Math.floor(Math.min(left.length, right.length) / 5);
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, character] of a.split("").entries()) {
    const next = [i + 1];
    for (const [j, other] of b.split("").entries()) {
      const replaced = (row[j] ?? 0) + (character === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
