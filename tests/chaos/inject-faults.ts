import { sleep } from "#shared/clock";
import type { Fault } from "./fault-plan.ts";
import type { Stage } from "./stage.ts";

/** What became of one fault of the plan. */
export interface Injected {
  readonly fault: Fault;
  /** Whether something was harmed: a fault that nobody felt proves nothing. */
  readonly struck: boolean;
  /** In ms since the epoch, as the logs write it. */
  readonly beganAtMs: number;
  readonly endedAtMs: number;
}

const TARGET_POLL_MS = 50;
/** A process that is just being started again is waited for this long. */
const TARGET_WITHIN_MS = 4000;

/** Carries out a plan to its end; faults run side by side, each at its time. */
export async function injectFaults(
  stage: Stage,
  plan: readonly Fault[],
  onInjected: (injected: Injected) => void,
): Promise<Injected[]> {
  const startedMs = performance.now();
  const underway: Promise<Injected>[] = [];
  for (const fault of plan) {
    await sleep(Math.max(0, startedMs + fault.atMs - performance.now()));
    underway.push(
      inject(stage, fault).then((injected) => {
        onInjected(injected);
        return injected;
      }),
    );
  }
  return Promise.all(underway);
}

async function inject(stage: Stage, fault: Fault): Promise<Injected> {
  const beganAtMs = Date.now();
  const struck = await strike(stage, fault);
  return { fault, struck, beganAtMs, endedAtMs: Date.now() };
}

function strike(stage: Stage, fault: Fault): Promise<boolean> {
  switch (fault.kind) {
    case "kill":
    case "slow_kill":
    case "pause":
    case "block":
    case "clock_ahead":
    case "clock_back":
      return strikeService(stage, fault);
    case "redis_kill":
    case "redis_pause":
    case "redis_full":
      return strikeRedis(stage, fault);
    case "link":
      return strikeLink(stage, fault);
  }
}

type Of<Kind extends Fault["kind"]> = Extract<Fault, { readonly kind: Kind }>;

type ServiceFault = Of<"kill" | "slow_kill" | "pause" | "block" | "clock_ahead" | "clock_back">;

/** How a process is told to be in trouble, and how to be well again. */
const SIGNALS: Readonly<
  Record<Exclude<ServiceFault["kind"], "kill" | "slow_kill">, readonly NodeJS.Signals[]>
> = {
  pause: ["SIGSTOP", "SIGCONT"],
  block: ["SIGHUP"],
  clock_ahead: ["SIGUSR2", "SIGUSR2"],
  clock_back: ["SIGWINCH", "SIGWINCH"],
};

async function strikeService(stage: Stage, fault: ServiceFault): Promise<boolean> {
  const service = stage.services[fault.target];
  const giveUpAtMs = performance.now() + TARGET_WITHIN_MS;
  while (!service.isAlive && performance.now() < giveUpAtMs) await sleep(TARGET_POLL_MS);
  if (fault.kind === "kill") return service.kill();
  if (fault.kind === "slow_kill") {
    const link = stage.links[`${fault.target}-redis`];
    link.misbehave("delay");
    await sleep(fault.durationMs);
    const struck = await service.kill();
    link.mend();
    return struck;
  }
  const lives = service.starts;
  const [begin, end] = SIGNALS[fault.kind];
  const struck = begin !== undefined && service.signal(begin);
  await sleep(fault.durationMs);
  // Another life would take it for a beginning.
  const isTheSame = service.starts === lives && service.isAlive;
  if (end !== undefined && isTheSame) service.signal(end);
  return struck && isTheSame;
}

async function strikeRedis(
  stage: Stage,
  fault: Of<"redis_kill" | "redis_pause" | "redis_full">,
): Promise<boolean> {
  switch (fault.kind) {
    case "redis_kill": {
      const struck = await stage.redis.kill();
      await sleep(fault.durationMs);
      await stage.redis.start();
      return struck;
    }
    case "redis_pause": {
      const struck = stage.redis.signal("SIGSTOP");
      await sleep(fault.durationMs);
      return stage.redis.signal("SIGCONT") && struck;
    }
    case "redis_full": {
      // The suite runs a single Redis; only a cluster's client could not be asked for its settings.
      if (!("config" in stage.store.redis)) return false;
      const { redis } = stage.store;
      const before = await refusals(stage);
      await redis.config("SET", "maxmemory", "1");
      await sleep(fault.durationMs);
      await redis.config("SET", "maxmemory", "0");
      return (await refusals(stage)) > before;
    }
  }
}

/** How many commands Redis has refused for want of memory since it was started. */
async function refusals(stage: Stage): Promise<number> {
  const stats = await stage.store.redis.info("errorstats");
  return Number(/errorstat_OOM:count=(\d+)/.exec(stats)?.[1] ?? "0");
}

async function strikeLink(stage: Stage, fault: Of<"link">): Promise<boolean> {
  const link = stage.links[fault.target];
  const before = link.harmed;
  link.misbehave(fault.mode);
  await sleep(fault.durationMs);
  link.mend();
  return link.harmed > before;
}
