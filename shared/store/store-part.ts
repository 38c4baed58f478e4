import type { Confirmation } from "./confirmation.ts";
import type { Keys } from "./keys.ts";
import type { RedisClient } from "./script.ts";
import type { StoreBounds, StoreOptions } from "./store-settings.ts";

/** The members of a store that its parts use: of the installation, or of one of its shards. */
export interface PlacedStore {
  readonly redis: RedisClient;
  readonly keys: Keys;
  readonly options: StoreOptions;
  readonly bounds: StoreBounds;
  readonly confirmation: Confirmation;
  readonly whole: this;
  readonly shards: readonly this[];
  readonly awake: readonly this[];
  ofRun(runId: string): this;
}

/** A part of a store, which keeps something in its Redis under its keys, and may use other parts. */
export class StorePart<Others = unknown> {
  protected readonly store: PlacedStore & Others;
  protected readonly redis: RedisClient;
  protected readonly keys: Keys;

  constructor(store: PlacedStore & Others) {
    this.store = store;
    this.redis = store.redis;
    this.keys = store.keys;
  }

  /** True where what one turn of the event loop writes is one script. */
  protected get groupsWrites(): boolean {
    return this.store.options.groupsWrites ?? false;
  }

  /** Reads in every shard that can be asked. */
  protected fromEach<Read>(read: (shard: PlacedStore & Others) => Promise<Read>): Promise<Read[]> {
    return Promise.all(this.store.awake.map(read));
  }
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** Adds up records of numbers, field by field. */
export function sumFields<Fields extends { readonly [Name in keyof Fields]: number }>(
  all: readonly Fields[],
): Fields {
  return all.reduce((total, one) => {
    // The keys of a record of numbers.
    const names = Object.keys(total) as (keyof Fields)[];
    // The same fields, each a number as before.
    return Object.fromEntries(names.map((name) => [name, total[name] + one[name]])) as Fields;
  });
}
