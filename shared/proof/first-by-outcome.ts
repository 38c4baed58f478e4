/** Index of items by outcome, computed once for each item, so that many lookups stay linear. */
export class FirstByOutcome<Item> {
  private readonly items: readonly Item[];
  private readonly outcomeOf: (item: Item) => string | undefined;
  private readonly found = new Map<string, Item>();
  private next = 0;

  /** @param outcomeOf - The outcome of one item; undefined for none. */
  constructor(items: readonly Item[], outcomeOf: (item: Item) => string | undefined) {
    this.items = items;
    this.outcomeOf = outcomeOf;
  }

  find(wanted: string): Item | undefined {
    while (!this.found.has(wanted) && this.next < this.items.length) this.ask();
    return this.found.get(wanted);
  }

  /** Returns true when any item has an outcome. */
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
