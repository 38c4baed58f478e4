import { sleep } from "#shared/clock";
import type { FaultOf, Struck } from "../plan/faults.ts";
import type { RedisNode } from "../redis/redis-node.ts";
import type { Deployment } from "../deployment.ts";
import { askUntilAnswered } from "../ask-until-answered.ts";

/** Troubles of one server: death, standstill, no memory, no disk. */
export async function strikeRedis(
  node: RedisNode,
  fault: FaultOf<"redis_kill" | "redis_pause" | "redis_full" | "disk_full">,
): Promise<Struck> {
  switch (fault.kind) {
    case "redis_kill": {
      await node.untilWritten();
      const struck = await node.kill();
      await sleep(fault.durationMs);
      await node.start();
      return { struck };
    }
    case "redis_pause": {
      const struck = node.signal("SIGSTOP");
      await sleep(fault.durationMs);
      return { struck: node.signal("SIGCONT") && struck };
    }
    case "redis_full": {
      const before = await node.refusals("OOM");
      await ask(node, "CONFIG", "SET", "maxmemory", "1");
      await sleep(fault.durationMs);
      await ask(node, "CONFIG", "SET", "maxmemory", "0");
      return { struck: (await node.refusals("OOM")) > before };
    }
    case "disk_full": {
      const before = await node.refusals("MISCONF");
      await node.fillDisk();
      await sleep(fault.durationMs);
      // With `appendfsync always` it ends rather than acknowledge what it cannot keep.
      const isOver = !node.isAlive;
      const refused = isOver ? 0 : (await node.refusals("MISCONF")) - before;
      if (isOver) await node.start();
      else await node.enlargeDisk();
      return { struck: isOver || refused > 0 };
    }
  }
}

/** The cut-off replica replaces the primary, which went on alone and died; it returns as replica, and forgets. */
export async function failOver({ redis, links }: Deployment, fault: FaultOf<"failover">): Promise<Struck> {
  const primary = redis.node("redis");
  const replica = redis.replica();
  if (replica === null) throw new Error("A failover needs a replica.");
  const link = links.get("replica-primary");
  // Another failover may have left it behind by more than a moment.
  const wasWhole = await replica.waitForReplication(/master_link_status:up/);
  link.misbehave("refuse");
  await sleep(fault.durationMs);
  const struck = await primary.kill();
  await ask(replica, "REPLICAOF", "NO", "ONE");
  redis.swapRoles();
  links.leadToRedis(replica.port);
  link.leadTo(replica.port);
  link.mend();
  await primary.start();
  await ask(primary, "REPLICAOF", "127.0.0.1", String(link.port));
  const isWhole = await primary.waitForReplication(/master_link_status:up/);
  return { struck: struck && wasWhole && isWhole };
}

const KEYS_AT_ONCE = 50;
const MIGRATE_WITHIN_MS = 5000;

/** Longer than any outage of the plan, in ms. */
const PATIENCE_MS = 90_000;

/** Moves a shard to another master amid the traffic; goes on where the slot stood if a fault comes between. */
export async function moveSlot({ redis, store }: Deployment, fault: FaultOf<"slot_move">): Promise<Struck> {
  const { nodes } = redis;
  const slot = String(await cluster(redis.node("node-a"), "KEYSLOT", store.keys.inbox()));
  const owns = await Promise.all(
    nodes.map(async (node) =>
      (await slotsOf(node)).some(([first, last]) => first <= Number(slot) && Number(slot) <= last),
    ),
  );
  const at = owns.indexOf(true);
  const source = nodes[at];
  const target = nodes[(at + 1) % nodes.length];
  if (source === undefined || target === undefined) return { struck: false };
  const [sourceId, targetId] = [String(await cluster(source, "MYID")), String(await cluster(target, "MYID"))];
  await cluster(target, "SETSLOT", slot, "IMPORTING", sourceId);
  await cluster(source, "SETSLOT", slot, "MIGRATING", targetId);
  await sleep(fault.durationMs);
  let moved = 0;
  for (;;) {
    const keys = await cluster(source, "GETKEYSINSLOT", slot, String(KEYS_AT_ONCE));
    if (!Array.isArray(keys) || keys.length === 0) break;
    const names = keys.map(String);
    const where = ["127.0.0.1", String(target.port), "", "0", String(MIGRATE_WITHIN_MS)];
    // An answer that was lost leaves a key on both; the source's is the one that is served, and the newer.
    await ask(source, "MIGRATE", ...where, "REPLACE", "KEYS", ...names);
    moved += names.length;
  }
  for (const node of [target, source, ...nodes.filter((one) => one !== target && one !== source)])
    await cluster(node, "SETSLOT", slot, "NODE", targetId);
  return { struck: moved > 0 };
}

/** Ranges of slots that a node says are its own. */
async function slotsOf(node: RedisNode): Promise<(readonly [first: number, last: number])[]> {
  const own = String(await cluster(node, "NODES"))
    .split("\n")
    .find((line) => line.includes("myself"));
  const ranges = (own ?? "")
    .split(" ")
    .slice(8)
    .filter((text) => /^\d/.test(text));
  return ranges.map((text) => {
    const [first = "0", last = first] = text.split("-");
    return [Number(first), Number(last)] as const;
  });
}

async function cluster(node: RedisNode, ...args: readonly string[]): Promise<unknown> {
  return ask(node, "CLUSTER", ...args);
}

function ask(node: RedisNode, command: string, ...args: readonly string[]): Promise<unknown> {
  return askUntilAnswered(() => node.admin.call(command, ...args), { patienceMs: PATIENCE_MS });
}
