import { createHash } from "node:crypto";

/** A number in [0, 1) that its parts alone decide, the same in every process and in any order. */
export function draw(...parts: readonly (string | number)[]): number {
  const digest = createHash("sha256").update(JSON.stringify(parts)).digest();
  return digest.readUInt32BE(0) / 2 ** 32;
}

/** An integer from `min` to `max`, both inclusive. */
export function drawInteger(
  range: { readonly min: number; readonly max: number },
  ...parts: readonly (string | number)[]
): number {
  return range.min + Math.floor(draw(...parts) * (range.max - range.min + 1));
}

/** The same items in an order that the parts decide. */
export function shuffle<Item>(items: readonly Item[], ...parts: readonly (string | number)[]): Item[] {
  return items
    .map((item, index) => ({ item, rank: draw(...parts, index) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
