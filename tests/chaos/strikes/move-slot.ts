import { sleep } from "#shared/clock";
import { askUntilAnswered } from "../ask-until-answered.ts";
import type { FaultOf } from "../plan/fault.ts";
import type { RedisNode } from "../redis/redis-node.ts";
import type { Deployment } from "../deployment.ts";
import type { Struck } from "./struck.ts";

const KEYS_AT_ONCE = 50;
const MIGRATE_WITHIN_MS = 5000;

/** Longer than any outage of the plan, in ms. */
const PATIENCE_MS = 90_000;

/**
 * Moves all keys of one agent to the other master, as an operator who spreads the load does, amid the traffic. Another
 * fault may take either master away meanwhile: the operator then goes on where the slot stood.
 */
export async function moveSlot({ redis, store }: Deployment, fault: FaultOf<"slot_move">): Promise<Struck> {
  const a = redis.node("node-a");
  const b = redis.node("node-b");
  const slot = String(await cluster(a, "KEYSLOT", store.keys.outbox(fault.target)));
  const isAtA = (await slotsOf(a)).some(([first, last]) => first <= Number(slot) && Number(slot) <= last);
  const [source, target] = isAtA ? [a, b] : [b, a];
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
  await cluster(target, "SETSLOT", slot, "NODE", targetId);
  await cluster(source, "SETSLOT", slot, "NODE", targetId);
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
