import { createHash } from "node:crypto";
import { expect, it, onTestFinished } from "vitest";
import { accessRules, formatAclLine, Store } from "#shared/store";
import { accessAgentsOf } from "../services/cli/keys/write-redis-acl.ts";
import { checkAllDone, openBridgedDeployment } from "./support/bridged-deployment.ts";
import type { TestCluster } from "./support/two-clusters.ts";

const PASSWORD = "bridge-password";

/** Makes the bridge's user as `suture redis-acl` writes it, and opens a store under it. */
async function openBridgeStore({ redis, system }: TestCluster): Promise<Store> {
  const { prefix } = system.store.keys;
  const rule = accessRules(prefix, accessAgentsOf([system.team])).find(({ user }) => user === "bridge");
  if (rule === undefined) throw new Error("there is no rule for the bridge");
  const digest = createHash("sha256").update(PASSWORD).digest("hex");
  const [, user = "", ...words] = formatAclLine(rule, digest).trim().split(" ");
  await redis.redis.call("ACL", "SETUSER", user, "reset", ...words);
  const url = redis.url.replace("//", `//${user}:${PASSWORD}@`);
  const store = new Store({ ...system.store.options, url });
  onTestFinished(() => store.close());
  return store;
}

it.each(["together", "outbox"] as const)(
  "does all of a bridge's work under its own user of Redis, where hands over is %s",
  async (handover) => {
    const deployment = await openBridgedDeployment({ store: { handover } });
    const { home, far, submit } = deployment;
    for (const cluster of [home, far]) await cluster.startBridge({ store: await openBridgeStore(cluster) });
    const runs: { task: string; runId: string }[] = [];
    for (let n = 0; n < 6; n += 1) runs.push({ task: `t-${n}`, runId: await submit(`t-${n}`) });
    await checkAllDone(deployment, runs);
    // What was refused on the way would be in the log of Redis.
    for (const { redis } of [home, far]) expect(await redis.redis.call("ACL", "LOG")).toEqual([]);
  },
  120_000,
);
