import { createHash } from "node:crypto";

/** Hashes words to a number in [0, 1), the same on any machine. */
export function seededNumber(...words: readonly (string | number)[]): number {
  return hashOf(words).readUIntBE(0, 6) / 2 ** 48;
}

/** Seeded random number generator. */
export function seededRandom(...words: readonly (string | number)[]): () => number {
  const key = hashOf(words).toString("hex");
  let drawn = 0;
  return () => {
    drawn += 1;
    return seededNumber(key, drawn);
  };
}

/** Picks an item; undefined from an empty list. */
export function pick<Item>(items: readonly Item[], random: () => number): Item | undefined {
  return items[Math.floor(random() * items.length)];
}

function hashOf(words: readonly (string | number)[]): Buffer {
  // As JSON, so that ("a", "bc") and ("ab", "c") differ.
  return createHash("sha256").update(JSON.stringify(words)).digest();
}
