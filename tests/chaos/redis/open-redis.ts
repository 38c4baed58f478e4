import { join } from "node:path";
import { sleep } from "#shared/clock";
import { TcpProxy } from "../tcp-proxy.ts";
import { RedisNode } from "./redis-node.ts";
import { chooseFreePort } from "../../../infra/redis/redis-process.ts";
import type { Topology } from "../plan/chapters.ts";
import type { NodeLinkName, NodeName } from "../plan/faults.ts";

/** Starts the servers of a topology and waits until they work together. */
export async function openRedis(options: OpenRedisOptions): Promise<RedisUnderTest> {
  if (options.topology === "cluster") return openCluster(options);
  if (options.topology === "shards")
    return ofMembers([
      await openMember(options, "node-a", false),
      await openMember(options, "node-b", false),
    ]);
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
    links: new Map([["replica-primary", link]]),
  };
}

function ofOne(node: RedisNode): RedisUnderTest {
  return {
    node: () => node,
    nodes: [node],
    replica: () => null,
    swapRoles: () => undefined,
    ports: () => [node.port],
    links: new Map(),
  };
}

const SLOTS = 16_384;
/** A node that is silent for this long is taken for dead, in ms. */
const NODE_TIMEOUT_MS = 1500;
const READY_WITHIN_MS = 15_000;
const POLL_MS = 50;

const NODE_NAMES = ["node-a", "node-b", "node-c"] as const;

interface Member {
  readonly name: (typeof NODE_NAMES)[number];
  readonly node: RedisNode;
  readonly link: TcpProxy;
  readonly busPort: number;
}

/** Masters that share the slots evenly. Each tells clients the port of the proxy before it. */
async function openCluster(options: OpenRedisOptions): Promise<RedisUnderTest> {
  const members = await Promise.all(NODE_NAMES.map((name) => openMember(options, name, true)));
  const [first, ...others] = members;
  for (const [i, { node }] of members.entries()) {
    const [from, to] = [i, i + 1].map((share) => Math.floor((share * SLOTS) / members.length));
    await node.admin.call("CLUSTER", "ADDSLOTSRANGE", String(from), String((to ?? 0) - 1));
    // Each newer than what anybody knows of it, so that all accept what they hear.
    await node.admin.call("CLUSTER", "SET-CONFIG-EPOCH", String(i + 1));
  }
  for (const { node, busPort } of others)
    await first?.node.admin.call("CLUSTER", "MEET", "127.0.0.1", String(node.port), String(busPort));
  const signal = AbortSignal.timeout(READY_WITHIN_MS);
  const whole = new RegExp(`cluster_state:ok[^]*cluster_known_nodes:${members.length}`);
  for (const { node } of members) {
    while (!whole.test(String(await node.admin.call("CLUSTER", "INFO")))) await sleep(POLL_MS, signal);
  }
  return ofMembers(members);
}

function ofMembers(members: readonly Member[]): RedisUnderTest {
  const named = new Map(members.map((member) => [member.name, member]));
  const [first] = members;
  return {
    node: (name) => {
      const found = name === "redis" ? first : named.get(name);
      if (found === undefined) throw new Error(`There is no ${name} in this run.`);
      return found.node;
    },
    nodes: members.map(({ node }) => node),
    replica: () => null,
    swapRoles: () => undefined,
    ports: () => members.map(({ link }) => link.port),
    links: new Map(members.map(({ name, link }) => [`clients-${name}`, link])),
  };
}

async function openMember(
  { folder, fsync }: OpenRedisOptions,
  name: Member["name"],
  isInCluster: boolean,
): Promise<Member> {
  const link = await TcpProxy.open(0);
  const busPort = await chooseFreePort(null);
  const settings = {
    "cluster-enabled": "yes",
    "cluster-node-timeout": NODE_TIMEOUT_MS,
    "cluster-port": busPort,
    "cluster-announce-ip": "127.0.0.1",
    "cluster-announce-port": link.port,
    "cluster-announce-bus-port": busPort,
  };
  const node = await RedisNode.open({
    dir: join(folder, name),
    fsync,
    settings: isInCluster
      ? Object.entries(settings).flatMap(([key, value]) => [`--${key}`, String(value)])
      : [],
  });
  link.leadTo(node.port);
  return { name, node, link, busPort };
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
  /** Ports that clients are to be told of: of the primary, or of the proxies before several servers. */
  readonly ports: () => readonly number[];
  /** Proxies that belong to the servers and not to one client. */
  readonly links: ReadonlyMap<NodeLinkName | "replica-primary", TcpProxy>;
}

interface OpenRedisOptions {
  readonly folder: string;
  readonly topology: Topology;
  readonly fsync: "always" | "everysec";
}
