import { pino } from "pino";
import { onTestFinished } from "vitest";
import { PRICES_DEFAULT } from "#shared/model";
import { unreachableModel } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { startSurgeon } from "../../services/surgeon/start-surgeon.ts";
import { SURGERY_LIMITS_DEFAULT } from "../../services/surgeon/surgery.ts";
import type { SurgeryLimits } from "../../services/surgeon/surgery.ts";

/** The real surgeon at work in a world's ward, without a model to ask. Goes with the test. */
export function operateOn(world: TestSystem, limits: Partial<SurgeryLimits> = {}): void {
  const surgeon = startSurgeon({
    store: world.store,
    keyring: world.keyring,
    teams: [world.team],
    model: unreachableModel(),
    prices: PRICES_DEFAULT,
    logger: pino({ level: "silent" }),
    limits: { ...SURGERY_LIMITS_DEFAULT, ...limits },
  });
  onTestFinished(() => surgeon.stop(0));
}
