import { join } from "node:path";
import { sleep } from "#shared/clock";
import { chooseFreePort } from "../../../infra/redis/redis-process.ts";
import { TcpProxy } from "../tcp-proxy.ts";
import { RedisNode } from "./redis-node.ts";
import type { OpenRedisOptions, RedisUnderTest } from "./redis-under-test.ts";

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
export async function openCluster(options: OpenRedisOptions): Promise<RedisUnderTest> {
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
