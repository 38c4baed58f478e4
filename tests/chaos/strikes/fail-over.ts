import { sleep } from "#shared/clock";
import type { FaultOf } from "../plan/fault.ts";
import type { Deployment } from "../deployment.ts";
import type { Struck } from "./struck.ts";

/**
 * The replica is cut off, the primary goes on alone for the duration and dies, the replica takes its place with what
 * it has. Clients are led to it; the dead one comes back as its replica and forgets what it had alone.
 */
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
  await replica.admin.replicaof("NO", "ONE");
  redis.swapRoles();
  links.leadToRedis(replica.port);
  link.leadTo(replica.port);
  link.mend();
  await primary.start();
  await primary.admin.replicaof("127.0.0.1", link.port);
  const isWhole = await primary.waitForReplication(/master_link_status:up/);
  return { struck: struck && wasWhole && isWhole };
}
