import { pino } from "pino";
import { onTestFinished } from "vitest";
import { unreachableModel } from "#shared/testing";
import type { TestConsole } from "../../services/console/testing/start-test-console.ts";
import { startSurgeon } from "../../services/surgeon/start-surgeon.ts";
import { SURGERY_LIMITS_DEFAULT } from "../../services/surgeon/surgery.ts";

/** The real surgeon, with a model that nobody reaches. */
export function startRealSurgeon({ system }: TestConsole): void {
  const surgeon = startSurgeon({
    store: system.store,
    keyring: system.keyring,
    teams: [system.team],
    model: unreachableModel(),
    prices: {},
    logger: pino({ level: process.env["TEST_LOG_LEVEL"] ?? "silent" }),
    limits: SURGERY_LIMITS_DEFAULT,
    upkeepMs: 100,
  });
  onTestFinished(() => surgeon.stop(0));
}
