import { pino } from "pino";
import { onTestFinished, vi } from "vitest";
import { loadConfig } from "#shared/config";
import { PRICES_DEFAULT } from "#shared/model";
import type { Team } from "#shared/runtime";
import { startTestSystem, unreachableModel } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { findCases, getCase } from "#shared/ward";
import type { CaseDetail, WardCase } from "#shared/ward";
import { startSurgeon } from "../../services/surgeon/start-surgeon.ts";
import type { StartSurgeonOptions } from "../../services/surgeon/start-surgeon.ts";
import { surgeryLimits } from "../../services/surgeon/surgery.ts";
import type { SurgeryLimits } from "../../services/surgeon/surgery.ts";
import { startTestConsole } from "../../services/console/testing/start-test-console.ts";
import type { TestConsole } from "../../services/console/testing/start-test-console.ts";
import { openSurgeonTestSystem } from "../../services/surgeon/testing/surgeon-test-system.ts";
import type { SurgeonTestSystem } from "../../services/surgeon/testing/surgeon-test-system.ts";

type Operation = Partial<Omit<StartSurgeonOptions, "limits">> & { readonly limits?: Partial<SurgeryLimits> };

/** A surgeon that waits for nothing: its cases come to their end within a test's patience. */
export const BRISK = {
  limits: { waitMsMin: 50, jobMissingMs: 200, lockMs: 1000, stalledIntervalMs: 200 },
  upkeepMs: 50,
} as const;

/** Starts the real surgeon on a test system, without a model unless one is given. Stops it after the test. */
export function operateOn(system: TestSystem, { limits, ...more }: Operation = {}): void {
  const surgeon = startSurgeon({
    store: system.store,
    keyring: system.keyring,
    teams: [system.team],
    model: unreachableModel(),
    prices: PRICES_DEFAULT,
    logger: pino({ level: process.env["TEST_LOG_LEVEL"] ?? "silent" }),
    limits: { ...surgeryLimits(loadConfig({})), ...limits },
    ...more,
  });
  onTestFinished(() => surgeon.stop(0));
}

/** A test system of a team with its agents and a brisk surgeon at work. */
export async function openOperated(
  own: Team,
  options: Parameters<typeof startTestSystem>[2] = {},
): Promise<TestSystem> {
  const system = await startTestSystem(own, {}, options);
  operateOn(system, BRISK);
  return system;
}

/** The case of a run that waits for a person's decision, once it meets `isIt`. */
export function untilWaiting(
  { store }: Pick<TestSystem, "store">,
  runId: string,
  isIt: (one: WardCase) => boolean = () => true,
): Promise<CaseDetail> {
  const look = async (): Promise<CaseDetail> => {
    const { cases } = await findCases(store, { filter: { run_id: runId, status: "quarantined" }, limit: 10 });
    const found = cases.find((one) => one.decision === null && isIt(one));
    if (found === undefined) throw new Error(`no such case: ${JSON.stringify(cases)}`);
    return getCase(store, found.case_id);
  };
  return vi.waitFor(look, 60_000);
}

/** The real surgeon, with a model that nobody reaches. */
export function startRealSurgeon({ system }: TestConsole): void {
  operateOn(system, { upkeepMs: 100, prices: {} });
}

/** Opens the surgeon's test system with its agents started, and a console for it. */
export async function openSurgeonAndConsole(
  options: Parameters<typeof openSurgeonTestSystem>[0] = {},
): Promise<SurgeonTestSystem & { console: TestConsole }> {
  const system = await openSurgeonTestSystem(options);
  await system.start({ model: system.surgery().model });
  return { ...system, console: await startTestConsole({}, [], system) };
}
