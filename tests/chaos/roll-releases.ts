import { orderPause } from "#shared/people";
import { findCases, getCase } from "#shared/ward";
import { decide } from "#shared/ward/decisions";
import { askUntilAnswered, waitUntil } from "./ask-until-answered.ts";
import type { Deployment } from "./deployment.ts";
import type { ServiceName } from "./plan/faults.ts";
import type { Launch } from "./service-process.ts";
import type { Injected } from "./strikes/inject-faults.ts";
import { isAtWork } from "./strikes/strike-service.ts";

/** One step of the course must be done within this time, in ms, on a machine that is busy. */
const STEP_WITHIN_MS = 60_000;
const PAUSED = ["ward", "chaos-intake"] as const;

/** Counts of what waits, each of which is to be above 0 when releases change. */
interface Waiting {
  readonly queue: number;
  readonly retry: number;
  readonly ward: number;
  readonly quarantine: number;
}

/**
 * Upgrades the processes of a deployment one by one from the release that they run to another, and rolls them back.
 * Each time work waits in a queue, for a retry, in the ward and for a person, and both releases work side by side.
 * @returns Each change of a process, as a fault that struck.
 */
export async function rollReleases(
  deployment: Deployment,
  { newer, say }: { readonly newer: (older: Launch) => Launch; readonly say: (line: string) => void },
): Promise<readonly Injected[]> {
  const changes: Injected[] = [];
  const olderOf = new Map<Launch, Launch>();
  for (const way of ["upgrade", "rollback"] as const) {
    say(`${way}: ${JSON.stringify(await letWorkWait(deployment))}`);
    const change = async (target: ServiceName): Promise<void> => {
      const beganAtMs = Date.now();
      const service = deployment.services[target];
      const next = way === "upgrade" ? newer(service.launch) : olderOf.get(service.launch);
      if (next === undefined) throw new Error(`${target} was not upgraded`);
      if (way === "upgrade") olderOf.set(next, service.launch);
      await service.relaunch(next, "clean");
      await must(`${target} works after the ${way}`, () => isAtWork(deployment, target));
      const fault = { kind: "upgrade", target, atMs: 0, durationMs: 0 } as const;
      changes.push({ fault, struck: true, victims: [], misdeed: null, beganAtMs, endedAtMs: Date.now() });
    };
    await change("agents-2");
    await change("gateway");
    // From here both releases work on what waited, and on what the other hands on.
    await letWorkGoOn(deployment);
    await change("surgeon");
    await operateAgain(deployment);
    await change("agents-1");
  }
  return changes;
}

/** Stops the surgeon, the model and the first agent one after the other, until work waits in every place. */
async function letWorkWait(deployment: Deployment): Promise<Waiting> {
  const { store } = deployment;
  const count = async (): Promise<Waiting> => {
    const { in_ward, quarantined } = await store.runs.counts();
    const [first, asking] = [
      store.queues.of("chaos-intake", "fresh"),
      store.queues.of("chaos-appraise", "retry"),
    ];
    const [queue, retry] = await Promise.all([
      first.getJobCountByTypes("wait", "prioritized"),
      asking.getJobCountByTypes("delayed", "wait"),
    ]);
    return { queue, retry, ward: in_ward, quarantine: quarantined };
  };
  const untilSome = (place: keyof Waiting) =>
    must(`messages wait: ${place}`, async () => (await askUntilAnswered(count))[place] > 1);
  await untilSome("quarantine");
  await orderPause(store, { agent: "ward", is_paused: true, by: "drill" });
  await deployment.outage("503");
  await untilSome("ward");
  await untilSome("retry");
  await orderPause(store, { agent: "chaos-intake", is_paused: true, by: "drill" });
  await untilSome("queue");
  return count();
}

async function letWorkGoOn(deployment: Deployment): Promise<void> {
  const { store } = deployment;
  await deployment.outage(null);
  for (const agent of PAUSED) await orderPause(store, { agent, is_paused: false, by: "drill" });
  const { completed } = await store.runs.counts();
  await must("runs complete", async () => (await store.runs.counts()).completed > completed + 5);
}

/** Has the surgeon of one release operate again on a case that the other one has quarantined. */
async function operateAgain({ store }: Deployment): Promise<void> {
  const filter = { status: "quarantined", failure_class: "validation_error" } as const;
  const [oldest] = (await findCases(store, { filter, cursor: null, limit: 200 })).cases.toReversed();
  if (oldest === undefined) throw new Error("no case of a malformed message is quarantined");
  await decide(store, {
    case_id: oldest.case_id,
    decision: "operate",
    by: "drill",
    why: "read by this release",
  });
  await must("the case comes back to quarantine", async () => {
    const { status, decision, version } = await getCase(store, oldest.case_id);
    return status === "quarantined" && decision === null && version > oldest.version + 1;
  });
}

async function must(what: string, isSo: () => Promise<boolean>): Promise<void> {
  if (!(await waitUntil(isSo, STEP_WITHIN_MS))) throw new Error(`It never came true: ${what}.`);
}
