import { pino } from "pino";
import { onTestFinished } from "vitest";
import { PRICES_DEFAULT } from "#shared/model";
import { unreachableModel } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { startSurgeon } from "../../services/surgeon/start-surgeon.ts";
import { SURGERY_LIMITS_DEFAULT } from "../../services/surgeon/surgery.ts";
import type { SurgeryLimits } from "../../services/surgeon/surgery.ts";

/** Starts the real surgeon on a test system, without a model. Stops it after the test. */
export function operateOn(system: TestSystem, limits: Partial<SurgeryLimits> = {}): void {
  const surgeon = startSurgeon({
    store: system.store,
    keyring: system.keyring,
    teams: [system.team],
    model: unreachableModel(),
    prices: PRICES_DEFAULT,
    logger: pino({ level: "silent" }),
    limits: { ...SURGERY_LIMITS_DEFAULT, ...limits },
  });
  onTestFinished(() => surgeon.stop(0));
}
