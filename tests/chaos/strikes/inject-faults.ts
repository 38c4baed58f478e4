import { sleep } from "#shared/clock";
import type { Fault, FaultOf } from "../plan/fault.ts";
import { victimOf } from "../plan/plan-faults.ts";
import type { Stage } from "../stage.ts";
import { moveSlot } from "./move-slot.ts";
import { failOver } from "./fail-over.ts";
import { corruptWaiting, forge } from "./strike-queue.ts";
import { strikeRedis } from "./strike-redis.ts";
import { startSkewed, strikeService, upgrade } from "./strike-service.ts";
import type { Struck, Victim } from "./struck.ts";

/** What became of one fault of the plan. */
export interface Injected {
  readonly fault: Fault;
  readonly struck: boolean;
  readonly victims: readonly Victim[];
  /** What a process under test did although it must not; null: nothing. */
  readonly misdeed: string | null;
  /** In ms since the epoch, as the logs write it. */
  readonly beganAtMs: number;
  readonly endedAtMs: number;
}

/**
 * Carries out a plan to its end. Faults run side by side, each at its time, or when the one before of its victim is
 * over: on a busy machine a process takes longer to come up than planned.
 */
export async function injectFaults(
  stage: Stage,
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
      .then(() => inject(stage, fault))
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

async function inject(stage: Stage, fault: Fault): Promise<Injected> {
  const beganAtMs = Date.now();
  const { struck, victims = [], misdeed = null } = await strike(stage, fault);
  return { fault, struck, victims, misdeed, beganAtMs, endedAtMs: Date.now() };
}

function strike(stage: Stage, fault: Fault): Promise<Struck> {
  switch (fault.kind) {
    case "kill":
    case "slow_kill":
    case "pause":
    case "block":
    case "clock_ahead":
    case "clock_back":
      return strikeService(stage, fault);
    case "skewed_start":
      return startSkewed(stage, fault);
    case "upgrade":
      return upgrade(stage, fault);
    case "redis_kill":
    case "redis_pause":
    case "redis_full":
    case "disk_full":
      return strikeRedis(stage.redis.node(fault.target), fault);
    case "failover":
      return failOver(stage, fault);
    case "slot_move":
      return moveSlot(stage, fault);
    case "forge":
      return forge(stage, fault);
    case "corrupt":
      return corruptWaiting(stage, fault);
    case "link":
      return strikeLink(stage, fault);
    case "model_outage":
      return strikeModel(stage, fault);
  }
}

async function strikeLink(stage: Stage, fault: Extract<Fault, { kind: "link" }>): Promise<Struck> {
  const link = stage.links.get(fault.target);
  const before = link.harmed;
  link.misbehave(fault.mode);
  await sleep(fault.durationMs);
  link.mend();
  return { struck: link.harmed > before };
}

async function strikeModel(stage: Stage, fault: FaultOf<"model_outage">): Promise<Struck> {
  const before = await stage.outage(fault.how);
  await sleep(fault.durationMs);
  return { struck: (await stage.outage(null)) > before };
}
