import type { RedisCost } from "../redis-cost.ts";

/** Cost of a server; NaN where the system does not tell its CPU time. */
export interface ServerCost {
  readonly cpuMs: number;
  /** Set for a Redis. */
  readonly redis?: RedisCost;
}

/** A server that is lent to one peer, empty. */
export interface Server {
  readonly url: string;
  /** Of every Redis key; of Restate its admin URL. */
  readonly prefix: string;
  /** Starts counting. What it returns stops and gives the counts. */
  readonly count: () => Promise<() => Promise<ServerCost>>;
}
