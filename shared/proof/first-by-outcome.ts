/**
 * Finds the first of many items that comes to a wanted outcome. Each item is asked once, however many outcomes are
 * looked for, so that a thousand questions about a thousand items take a thousand answers and no million.
 */
export class FirstByOutcome<Item> {
  private readonly items: readonly Item[];
  private readonly outcomeOf: (item: Item) => string | undefined;
  private readonly found = new Map<string, Item>();
  private next = 0;

  /** @param outcomeOf - The outcome of one item; undefined where it comes to none. */
  constructor(items: readonly Item[], outcomeOf: (item: Item) => string | undefined) {
    this.items = items;
    this.outcomeOf = outcomeOf;
  }

  find(wanted: string): Item | undefined {
    while (!this.found.has(wanted) && this.next < this.items.length) this.ask();
    return this.found.get(wanted);
  }

  /** Whether any item comes to any outcome. */
  hasAny(): boolean {
    while (this.found.size === 0 && this.next < this.items.length) this.ask();
    return this.found.size > 0;
  }

  private ask(): void {
    const item = this.items[this.next];
    this.next += 1;
    const outcome = item === undefined ? undefined : this.outcomeOf(item);
    if (item !== undefined && outcome !== undefined && !this.found.has(outcome))
      this.found.set(outcome, item);
  }
}
