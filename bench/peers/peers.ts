import { Redis } from "ioredis";
import type { PeerName } from "../peer/peer.ts";
import { countRedisWork } from "../redis-cost.ts";
import { withRedis, withReplicatedRedis } from "../with-redis.ts";
import type { RedisNeeds } from "../with-redis.ts";
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

type Lend = <Result>(
  say: (line: string) => void,
  use: (server: Server) => Promise<Result>,
) => Promise<Result>;

/** One row of the comparison. */
export interface PeerRow {
  readonly id: string;
  readonly title: string;
  /** What is on a disk when a step counts as done. */
  readonly promise: string;
  readonly peer: PeerName;
  readonly withServer: Lend;
}

const onRedis =
  (durability: RedisNeeds["durability"] & string): Lend =>
  (say, use) =>
    withRedis({ say, durability }, (url) => lendRedis(url, use));

const onReplicatedRedis: Lend = (say, use) => withReplicatedRedis({ say }, (url) => lendRedis(url, use));

async function lendRedis<Result>(url: string, use: (server: Server) => Promise<Result>): Promise<Result> {
  const redis = new Redis(url);
  try {
    // A rewrite of the append-only file takes a core for seconds and falls on whoever has the turn.
    await redis.config("SET", "auto-aof-rewrite-percentage", "0");
    const count = async (): Promise<() => Promise<ServerCost>> => {
      const stop = await countRedisWork(redis);
      return async () => {
        const cost = await stop();
        return { cpuMs: cost.cpuMs, redis: cost };
      };
    };
    return await use({ url, prefix: "bench", count });
  } finally {
    redis.disconnect();
  }
}

/** What all are compared with. */
export const ANCHOR_ROW: PeerRow = {
  id: "bullmq",
  title: "raw BullMQ",
  promise: "power cut may lose 1 s; a crash may hand on twice",
  peer: "bullmq",
  withServer: onRedis("fast"),
};

export const OWN_ROW: PeerRow = {
  id: "suture",
  title: "Suture",
  promise: "power cut may lose 1 s",
  peer: "suture",
  withServer: onRedis("fast"),
};

/** Every peer, beside `ANCHOR_ROW`. */
export const PEER_ROWS: readonly PeerRow[] = [
  OWN_ROW,
  {
    id: "suture_replicated",
    title: "Suture, replicated",
    promise: "each step on two servers, each synced within 1 s",
    peer: "suture_replicated",
    withServer: onReplicatedRedis,
  },
  {
    ...ANCHOR_ROW,
    id: "bullmq_durable",
    title: "raw BullMQ, synced",
    promise: "each write synced; a crash may hand on twice",
    withServer: onRedis("durable"),
  },
  {
    ...OWN_ROW,
    id: "suture_durable",
    title: "Suture, durable",
    promise: "each step synced",
    withServer: onRedis("durable"),
  },
];
