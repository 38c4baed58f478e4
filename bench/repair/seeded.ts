/** Draws from a small seeded generator (mulberry32), so that every run makes the same cases. */
export class Draw {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** A number in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** An integer in [0, below). */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** One of several; undefined of none. */
  find<Item>(items: readonly Item[]): Item | undefined {
    return items[this.below(items.length)];
  }

  /** One of several that are known to be some. */
  pick<Item>(items: readonly Item[]): Item {
    const item = this.find(items);
    if (item === undefined) throw new RangeError("nothing to pick from");
    return item;
  }
}
