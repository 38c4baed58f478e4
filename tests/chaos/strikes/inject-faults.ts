import { sleep } from "#shared/clock";
import type { Fault, FaultOf, Struck, Victim } from "../plan/faults.ts";
import { victimOf } from "../plan/plan-faults.ts";
import type { Deployment } from "../deployment.ts";
import { failOver, moveSlot, strikeRedis } from "./strike-redis.ts";
import { corruptWaiting, forge } from "./strike-queue.ts";
import { startSkewed, strikeService, upgrade } from "./strike-service.ts";

/** Outcome of one fault of the plan. */
export interface Injected {
  readonly fault: Fault;
  readonly struck: boolean;
  readonly victims: readonly Victim[];
  /** A forbidden act of a process under test. Null: there was none. */
  readonly misdeed: string | null;
  /** In ms since the epoch, as the logs write it. */
  readonly beganAtMs: number;
  readonly endedAtMs: number;
}

/** Carries out a plan side by side, each fault at its time, or when the one before of its victim is over. */
export async function injectFaults(
  deployment: Deployment,
  plan: readonly Fault[],
  onInjected: (injected: Injected) => void,
): Promise<Injected[]> {
  const startedMs = performance.now();
  const underway: Promise<Injected>[] = [];
  const busy = new Map<string, Promise<unknown>>();
  for (const fault of plan) {
    await sleep(Math.max(0, startedMs + fault.atMs - performance.now()));
    const before = busy.get(victimOf(fault)) ?? Promise.resolve();
    const injected = before
      .then(() => inject(deployment, fault))
      .then((one) => {
        onInjected(one);
        return one;
      });
    // Heard of at the end, together with the others.
    busy.set(
      victimOf(fault),
      injected.catch(() => undefined),
    );
    underway.push(injected);
  }
  return Promise.all(underway);
}

async function inject(deployment: Deployment, fault: Fault): Promise<Injected> {
  const beganAtMs = Date.now();
  const { struck, victims = [], misdeed = null } = await strike(deployment, fault);
  return { fault, struck, victims, misdeed, beganAtMs, endedAtMs: Date.now() };
}

function strike(deployment: Deployment, fault: Fault): Promise<Struck> {
  switch (fault.kind) {
    case "kill":
    case "slow_kill":
    case "pause":
    case "block":
    case "clock_ahead":
    case "clock_back":
      return strikeService(deployment, fault);
    case "skewed_start":
      return startSkewed(deployment, fault);
    case "upgrade":
      return upgrade(deployment, fault);
    case "redis_kill":
    case "redis_pause":
    case "redis_full":
    case "disk_full":
      return strikeRedis(deployment.redis.node(fault.target), fault);
    case "failover":
      return failOver(deployment, fault);
    case "slot_move":
      return moveSlot(deployment, fault);
    case "forge":
      return forge(deployment, fault);
    case "corrupt":
      return corruptWaiting(deployment, fault);
    case "link":
      return strikeLink(deployment, fault);
    case "model_outage":
      return strikeModel(deployment, fault);
  }
}

async function strikeLink(deployment: Deployment, fault: Extract<Fault, { kind: "link" }>): Promise<Struck> {
  const link = deployment.links.get(fault.target);
  const before = link.harmed;
  link.misbehave(fault.mode);
  await sleep(fault.durationMs);
  link.mend();
  return { struck: link.harmed > before };
}

async function strikeModel(deployment: Deployment, fault: FaultOf<"model_outage">): Promise<Struck> {
  const before = await deployment.outage(fault.how);
  await sleep(fault.durationMs);
  return { struck: (await deployment.outage(null)) > before };
}
