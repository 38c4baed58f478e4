import type { RedisCost } from "../redis-cost.ts";

/** What a server spent. */
export interface ServerCost {
  readonly cpuMs: number;
  readonly redis: RedisCost;
}

/** A server that is lent to one peer, empty. */
export interface Server {
  readonly url: string;
  /** Of every Redis key. */
  readonly prefix: string;
  /** Starts counting. What it returns stops and gives the counts. */
  readonly count: () => Promise<() => Promise<ServerCost>>;
}
