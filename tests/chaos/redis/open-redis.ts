import { join } from "node:path";
import { TcpProxy } from "../tcp-proxy.ts";
import { openCluster } from "./open-cluster.ts";
import { RedisNode } from "./redis-node.ts";
import type { OpenRedisOptions, RedisUnderTest } from "./redis-under-test.ts";

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
