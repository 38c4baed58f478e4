/** Numbers in [0, 1) that follow from a seed: the same messages every time. */
export function drawFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    // Mulberry32: small, even enough, and the same everywhere.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function pickFrom<Item>(items: readonly Item[], draw: () => number): Item {
  const item = items[Math.floor(draw() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}
