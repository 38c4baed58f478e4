import { pino } from "pino";
import { onTestFinished } from "vitest";
import { PRICES_DEFAULT } from "#shared/model";
import { unreachableModel } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { startSurgeon } from "../../services/surgeon/start-surgeon.ts";
import type { StartSurgeonOptions } from "../../services/surgeon/start-surgeon.ts";
import { SURGERY_LIMITS_DEFAULT } from "../../services/surgeon/surgery.ts";
import type { SurgeryLimits } from "../../services/surgeon/surgery.ts";

type Operation = Partial<Omit<StartSurgeonOptions, "limits">> & { readonly limits?: Partial<SurgeryLimits> };

/** A surgeon that waits for nothing: its cases come to their end within a test's patience. */
export const BRISK = {
  limits: { waitMsMin: 50, jobMissingMs: 200 },
  lockMs: 1000,
  stalledIntervalMs: 200,
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
    limits: { ...SURGERY_LIMITS_DEFAULT, ...limits },
    ...more,
  });
  onTestFinished(() => surgeon.stop(0));
}
