import { Redis } from "ioredis";
import { existsSync } from "node:fs";
import type { PeerName } from "../peer/peer.ts";
import { countRedisWork } from "../redis-cost.ts";
import { withRedis, withReplicatedRedis } from "../with-redis.ts";
import type { Fsync } from "../with-redis.ts";
import type { Server, ServerCost } from "./server.ts";
import { withPostgres } from "./with-postgres.ts";
import { findPostgres } from "../../infra/postgres/scratch-postgres.ts";
import { findRestate, withRestate } from "./with-restate.ts";

type Lend = <Result>(use: (server: Server) => Promise<Result>) => Promise<Result>;

/** One row of the comparison. */
export interface PeerRow {
  readonly id: string;
  readonly title: string;
  /** State that is on a disk when a step counts as done. */
  readonly promise: string;
  readonly peer: PeerName;
  /** Reason for which it cannot be measured here. Null: it can. */
  readonly findObstacle: () => string | null;
  readonly withServer: Lend;
}

const onRedis =
  (fsync: Fsync): Lend =>
  (use) =>
    withRedis(fsync, (url) => lendRedis(url, use));

/** Several servers that are a shard each; what they cost is added up. */
const onShards =
  (left: number, lent: readonly Server[] = []): Lend =>
  (use) =>
    left === 0
      ? use(asOne(lent))
      : onRedis("everysec")((server) => onShards(left - 1, [...lent, server])(use));

function asOne(servers: readonly Server[]): Server {
  const count = async (): Promise<() => Promise<ServerCost>> => {
    const stops = await Promise.all(servers.map((server) => server.count()));
    return async () => {
      const costs = await Promise.all(stops.map((stop) => stop()));
      return { cpuMs: costs.reduce((sum, { cpuMs }) => sum + cpuMs, 0) };
    };
  };
  return { url: servers.map(({ url }) => url).join(" "), prefix: "bench", count };
}

const onReplicatedRedis: Lend = (use) => withReplicatedRedis((url) => lendRedis(url, use));

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

const onPostgres: Lend = (use) => withPostgres(findPostgres() ?? "", use);
const onRestate: Lend = (use) => withRestate(findRestate() ?? "", use);

const never = (): null => null;
const withoutPackages = (): string | null =>
  existsSync(new URL("node_modules", import.meta.url))
    ? null
    : "its packages are not installed: npm ci --ignore-scripts --prefix bench/peers";
const withoutPostgres = (): string | null =>
  findPostgres() === null
    ? "PostgreSQL is not installed (Debian: apt install postgresql)"
    : withoutPackages();
const withoutRestate = (): string | null =>
  findRestate() === null ? (withoutPackages() ?? "its server has no package for this platform") : null;

const SYNCED = { promise: "each step synced" };

/** The peer that all are compared with. */
export const ANCHOR_ROW: PeerRow = {
  findObstacle: never,
  id: "bullmq",
  title: "raw BullMQ",
  promise: "power cut may lose 1 s; a crash may hand on twice",
  peer: "bullmq",
  withServer: onRedis("everysec"),
};

export const OWN_ROW: PeerRow = {
  findObstacle: never,
  id: "suture",
  title: "Suture",
  promise: "power cut may lose 1 s",
  peer: "suture",
  withServer: onRedis("everysec"),
};

/** Suture on so many Redis, with runs spread over them. */
export const shardsRow = (count: number): PeerRow => ({
  ...OWN_ROW,
  title: `Suture on ${count} Redis`,
  withServer: onShards(count),
});

/** Every peer, beside `ANCHOR_ROW`. */
export const PEER_ROWS: readonly PeerRow[] = [
  OWN_ROW,
  {
    findObstacle: never,
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
    withServer: onRedis("always"),
  },
  {
    ...OWN_ROW,
    id: "suture_durable",
    title: "Suture, durable",
    promise: "each step synced",
    peer: "suture_durable",
    withServer: onRedis("always"),
  },
  {
    ...SYNCED,
    id: "dbos",
    title: "DBOS on PostgreSQL",
    peer: "dbos",
    findObstacle: withoutPostgres,
    withServer: onPostgres,
  },
  {
    ...SYNCED,
    id: "langgraph",
    title: "LangGraph on PostgreSQL",
    peer: "langgraph",
    findObstacle: withoutPostgres,
    withServer: onPostgres,
  },
  {
    ...SYNCED,
    id: "restate",
    title: "Restate",
    peer: "restate",
    findObstacle: withoutRestate,
    withServer: onRestate,
  },
];
