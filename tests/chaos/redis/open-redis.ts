import { join } from "node:path";
import { sleep } from "#shared/clock";
import { TcpProxy } from "../tcp-proxy.ts";
import { RedisNode } from "./redis-node.ts";
import { chooseFreePort } from "../../../infra/redis/redis-process.ts";
import type { Topology } from "../plan/chapters.ts";
import type { NodeName } from "../plan/faults.ts";

/** Starts the servers of a topology and waits until they work together. */
export async function openRedis(options: OpenRedisOptions): Promise<RedisUnderTest> {
  if (options.topology === "cluster") return openCluster(options);
  const { folder, fsync, topology } = options;
  let primary = await RedisNode.open({ dir: join(folder, "redis-1"), fsync });
  if (topology === "standalone") return ofOne(primary);
  const link = await TcpProxy.open(primary.port);
  // A replica that was cut off finds its place again from a backlog, as in any real setting.
  let replica = await RedisNode.open({
    dir: join(folder, "redis-2"),
    fsync,
    settings: ["--replicaof", "127.0.0.1", String(link.port), "--repl-diskless-sync-delay", "0"],
  });
  await primary.admin.config("SET", "repl-diskless-sync-delay", "0");
  await primary.waitForReplication(/state=online/);
  const nodes = [primary, replica];
  return {
    node: () => primary,
    nodes,
    replica: () => replica,
    swapRoles: () => {
      [primary, replica] = [replica, primary];
    },
    ports: () => [primary.port],
    links: { "replica-primary": link },
  };
}

function ofOne(node: RedisNode): RedisUnderTest {
  return {
    node: () => node,
    nodes: [node],
    replica: () => null,
    swapRoles: () => undefined,
    ports: () => [node.port],
    links: {},
  };
}

const SLOTS = 16_384;
/** A node that is silent for this long is taken for dead, in ms. */
const NODE_TIMEOUT_MS = 1500;
const READY_WITHIN_MS = 15_000;
const POLL_MS = 50;

interface Member {
  readonly node: RedisNode;
  readonly link: TcpProxy;
  readonly busPort: number;
}

/** Two masters that share the slots half and half. Each tells clients the port of the proxy before it. */
async function openCluster(options: OpenRedisOptions): Promise<RedisUnderTest> {
  const a = await openMember(options, "node-a");
  const b = await openMember(options, "node-b");
  await a.node.admin.call("CLUSTER", "ADDSLOTSRANGE", "0", String(SLOTS / 2 - 1));
  await b.node.admin.call("CLUSTER", "ADDSLOTSRANGE", String(SLOTS / 2), String(SLOTS - 1));
  // Newer than what anybody knows of the other, so that both accept what they hear.
  await b.node.admin.call("CLUSTER", "SET-CONFIG-EPOCH", "2");
  await a.node.admin.call("CLUSTER", "MEET", "127.0.0.1", String(b.node.port), String(b.busPort));
  const signal = AbortSignal.timeout(READY_WITHIN_MS);
  for (const { node } of [a, b]) {
    while (
      !/cluster_state:ok[^]*cluster_known_nodes:2/.test(String(await node.admin.call("CLUSTER", "INFO")))
    ) {
      await sleep(POLL_MS, signal);
    }
  }
  return {
    node: (name) => (name === "node-b" ? b.node : a.node),
    nodes: [a.node, b.node],
    replica: () => null,
    swapRoles: () => undefined,
    ports: () => [a.link.port, b.link.port],
    links: { "clients-node-a": a.link, "clients-node-b": b.link },
  };
}

async function openMember({ folder, fsync }: OpenRedisOptions, name: string): Promise<Member> {
  const link = await TcpProxy.open(0);
  const busPort = await chooseFreePort(null);
  const node = await RedisNode.open({
    dir: join(folder, name),
    fsync,
    settings: [
      "--cluster-enabled",
      "yes",
      "--cluster-node-timeout",
      String(NODE_TIMEOUT_MS),
      "--cluster-port",
      String(busPort),
      "--cluster-announce-ip",
      "127.0.0.1",
      "--cluster-announce-port",
      String(link.port),
      "--cluster-announce-bus-port",
      String(busPort),
    ],
  });
  link.leadTo(node.port);
  return { node, link, busPort };
}

/** The servers of one run, and how clients come to them. */
export interface RedisUnderTest {
  /** `redis` is the one that clients are led to now; the others are the masters of a cluster. */
  node(name: NodeName): RedisNode;
  readonly nodes: readonly RedisNode[];
  /** Only with a replica. */
  readonly replica: () => RedisNode | null;
  /** After a failover: who was the replica is the primary. */
  swapRoles(): void;
  /** Ports that clients are to be told of: of the primary, or of the proxies before a cluster's masters. */
  readonly ports: () => readonly number[];
  /** Proxies that belong to the servers and not to one client. */
  readonly links: Readonly<
    Partial<Record<"clients-node-a" | "clients-node-b" | "replica-primary", TcpProxy>>
  >;
}

interface OpenRedisOptions {
  readonly folder: string;
  readonly topology: Topology;
  readonly fsync: "always" | "everysec";
}
