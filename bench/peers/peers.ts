import { Redis } from "ioredis";
import type { PeerName } from "../peer/peer.ts";
import { findWhyNotReplicated } from "../peer/replicated.ts";
import { withRedis, withReplicatedRedis } from "../with-redis.ts";
import type { RedisNeeds } from "../with-redis.ts";
import type { Server } from "./server.ts";
import { findPostgres, withPostgres } from "./with-postgres.ts";
import { findRestate, withRestate } from "./with-restate.ts";

type Use<Result> = (server: Server) => Promise<Result>;
type Lend = <Result>(say: (line: string) => void, use: Use<Result>) => Promise<Result>;

/** One row of the comparison. */
export interface PeerRow {
  readonly id: string;
  readonly title: string;
  /** What is on a disk when a step counts as done. */
  readonly promise: string;
  readonly peer: PeerName;
  /** Whether its packages are among those that are installed on demand. */
  readonly isInstalledApart: boolean;
  /** Why it cannot be measured here; null where it can. */
  readonly findObstacle: () => string | null;
  readonly withServer: Lend;
}

const onRedis =
  (durability: RedisNeeds["durability"] & string): Lend =>
  (say, use) =>
    withRedis({ say, durability }, (url) => use(toServer(url)));

const onReplicatedRedis: Lend = (say, use) => withReplicatedRedis({ say }, (url) => use(toServer(url)));

const onPostgres: Lend = (_, use) => withPostgres(findPostgres() ?? "", use);

const onRestate: Lend = (_, use) => withRestate(findRestate() ?? "", use);

function toServer(url: string): Server {
  return { url, adminUrl: url, cpuMs: () => readRedisCpuMs(url) };
}

async function readRedisCpuMs(url: string): Promise<number> {
  const redis = new Redis(url);
  try {
    const info = await redis.info("cpu");
    const of = (name: string): number => Number(new RegExp(`^${name}:(.+)$`, "m").exec(info)?.[1] ?? 0);
    return (of("used_cpu_user") + of("used_cpu_sys")) * 1000;
  } finally {
    redis.disconnect();
  }
}

const never = (): null => null;
const withoutPostgres = (): string | null =>
  findPostgres() === null ? "PostgreSQL is not installed (Debian: apt install postgresql)" : null;

/** What all are compared with. */
export const ANCHOR_ROW: PeerRow = {
  id: "bullmq",
  title: "raw BullMQ",
  promise: "power cut may lose 1 s; a crash may hand on twice",
  peer: "bullmq",
  isInstalledApart: false,
  findObstacle: never,
  withServer: onRedis("fast"),
};

/** Every peer, beside `ANCHOR_ROW`. */
export const PEER_ROWS: readonly PeerRow[] = [
  {
    id: "suture",
    title: "Suture",
    promise: "power cut may lose 1 s",
    peer: "suture",
    isInstalledApart: false,
    findObstacle: never,
    withServer: onRedis("fast"),
  },
  {
    id: "suture_replicated",
    title: "Suture, replicated",
    promise: "each step on two servers, each synced within 1 s",
    peer: "suture_replicated",
    isInstalledApart: false,
    findObstacle: findWhyNotReplicated,
    withServer: onReplicatedRedis,
  },
  {
    id: "bullmq_durable",
    title: "raw BullMQ, synced",
    promise: "each write synced; a crash may hand on twice",
    peer: "bullmq",
    isInstalledApart: false,
    findObstacle: never,
    withServer: onRedis("durable"),
  },
  {
    id: "suture_durable",
    title: "Suture, durable",
    promise: "each step synced",
    peer: "suture",
    isInstalledApart: false,
    findObstacle: never,
    withServer: onRedis("durable"),
  },
  {
    id: "dbos",
    title: "DBOS on PostgreSQL",
    promise: "each step synced",
    peer: "dbos",
    isInstalledApart: true,
    findObstacle: withoutPostgres,
    withServer: onPostgres,
  },
  {
    id: "langgraph",
    title: "LangGraph on PostgreSQL",
    promise: "each step synced",
    peer: "langgraph",
    isInstalledApart: true,
    findObstacle: withoutPostgres,
    withServer: onPostgres,
  },
  {
    id: "restate",
    title: "Restate",
    promise: "each step synced",
    peer: "restate",
    isInstalledApart: true,
    findObstacle: () => (findRestate() === null ? "its server has no package for this platform" : null),
    withServer: onRestate,
  },
];
