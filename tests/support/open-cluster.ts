import { startOwnRedis, untilTrue } from "./redis-servers.ts";

/** Slots of a cluster. */
export const SLOTS = 16_384;

/** Starts a cluster of two masters that share the slots half and half. Gone when the test is over. */
export async function openCluster() {
  const settings = ["--cluster-enabled", "yes", "--cluster-node-timeout", "2000"];
  const [low, high] = [await startOwnRedis(settings), await startOwnRedis(settings)];
  await low.redis.call("CLUSTER", "ADDSLOTSRANGE", "0", String(SLOTS / 2 - 1));
  await high.redis.call("CLUSTER", "ADDSLOTSRANGE", String(SLOTS / 2), String(SLOTS - 1));
  await low.redis.call("CLUSTER", "MEET", "127.0.0.1", String(high.port));
  for (const { redis } of [low, high]) {
    await untilTrue(async () => {
      const info = String(await redis.call("CLUSTER", "INFO"));
      return info.includes("cluster_state:ok") && info.includes("cluster_known_nodes:2");
    });
  }
  return { low, high, url: `redis-cluster://127.0.0.1:${low.port},127.0.0.1:${high.port}` };
}
