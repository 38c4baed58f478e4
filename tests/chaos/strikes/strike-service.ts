import { sleep } from "#shared/clock";
import { waitUntil } from "../ask-until-answered.ts";
import { asNextRelease } from "../launch-services.ts";
import type { FaultOf, ServiceName, Struck } from "../plan/faults.ts";
import type { ServiceProcess } from "../service-process.ts";
import type { Deployment } from "../deployment.ts";

/** A count of messages in hand is waited for this long. */
const COUNT_MS = 200;
/** A process that is just being started again is waited for this long. */
const TARGET_WITHIN_MS = 4000;
/** A process that comes up is at work, or has refused to be, after this at the latest. */
const UP_WITHIN_MS = 45_000;
const SKEW_MS = 2 * 3_600_000;
/** A pause is put off this long at most, to meet messages in hand. */
const IN_HAND_WITHIN_MS = 1500;

type ServiceFault = FaultOf<"kill" | "slow_kill" | "pause" | "block" | "clock_ahead" | "clock_back">;

/** Signals that begin the trouble of a process, and that end it. */
const SIGNALS: Readonly<
  Record<Exclude<ServiceFault["kind"], "kill" | "slow_kill">, readonly NodeJS.Signals[]>
> = {
  pause: ["SIGSTOP", "SIGCONT"],
  block: ["SIGHUP"],
  clock_ahead: ["SIGUSR2", "SIGUSR2"],
  clock_back: ["SIGWINCH", "SIGWINCH"],
};

/** Ends a process, stops it for a while, or makes it stand still or err. */
export async function strikeService(deployment: Deployment, fault: ServiceFault): Promise<Struck> {
  const service = deployment.services[fault.target];
  await waitUntil(() => service.isAlive, TARGET_WITHIN_MS);
  if (fault.kind === "kill") return { struck: await service.kill() };
  if (fault.kind === "slow_kill") return slowKill(deployment, fault);
  if (fault.target.startsWith("agents-")) await waitForWork(deployment);
  const lives = service.starts;
  const [begin, end] = SIGNALS[fault.kind];
  const struck = begin !== undefined && service.signal(begin);
  await sleep(fault.durationMs);
  // Another life would take it for a beginning.
  const isTheSame = service.starts === lives && service.isAlive;
  if (end !== undefined && isTheSame) service.signal(end);
  return { struck: struck && isTheSame };
}

async function slowKill(deployment: Deployment, fault: FaultOf<"slow_kill">): Promise<Struck> {
  const link = deployment.links.get(`${fault.target}-redis`);
  link.misbehave("delay");
  await sleep(fault.durationMs);
  const struck = await deployment.services[fault.target].kill();
  link.mend();
  return { struck };
}

/** Until the middle agent has messages in hand: a worker that stands still with none is no zombie when it wakes. */
async function waitForWork(deployment: Deployment): Promise<void> {
  const queue = deployment.store.queues.of("chaos-appraise", "fresh");
  const count = () => Promise.race([queue.getActiveCount().catch(() => 0), sleep(COUNT_MS).then(() => 0)]);
  await waitUntil(async () => (await count()) > 1, IN_HAND_WITHIN_MS);
}

/** Dies and comes up with a clock that is two hours off. It must end by itself, and never be seen at work. */
export async function startSkewed(deployment: Deployment, fault: FaultOf<"skewed_start">): Promise<Struck> {
  const service = deployment.services[fault.target];
  const sound = service.launch;
  const refusals = service.refusals;
  const offsetMs = fault.durationMs % 2 === 0 ? SKEW_MS : -SKEW_MS;
  const env = { ...sound.env, CHAOS_CLOCK_OFFSET_MS: String(offsetMs) };
  await service.relaunch({ args: sound.args, env }, "crash");
  let worked = false;
  await waitUntil(async () => {
    worked ||= await isAtWork(deployment, fault.target);
    return worked || service.refusals > refusals;
  }, fault.durationMs + UP_WITHIN_MS);
  await service.relaunch(sound, "crash");
  const struck = service.refusals > refusals;
  return worked
    ? { struck, misdeed: `${fault.target} worked with a clock that is two hours off` }
    : { struck };
}

/** Ends cleanly, works as the next release for a while, and dies; its next life is the release before. */
export async function upgrade(deployment: Deployment, fault: FaultOf<"upgrade">): Promise<Struck> {
  const service = deployment.services[fault.target];
  await waitUntil(() => service.isAlive, TARGET_WITHIN_MS);
  const before = service.launch;
  await service.relaunch(asNextRelease(before), "clean");
  const cameUp = await waitUntil(() => isAtWork(deployment, fault.target), UP_WITHIN_MS);
  await sleep(fault.durationMs);
  await service.relaunch(before, "crash");
  return { struck: cameUp };
}

/** Returns true where this life of a process works: agents have said so, the gateway answers. */
export async function isAtWork(deployment: Deployment, target: ServiceName): Promise<boolean> {
  const service: ServiceProcess = deployment.services[target];
  const { pid } = service;
  if (pid === null) return false;
  if (target === "gateway") {
    const reply = fetch(`${deployment.gatewayUrl}/readyz`, { signal: AbortSignal.timeout(1000) });
    return reply.then(
      ({ ok }) => ok,
      () => false,
    );
  }
  if (target === "surgeon") return true;
  const live = await deployment.store.registry.live().catch(() => []);
  return live.some((presence) => presence.pid === pid);
}
