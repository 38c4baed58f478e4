import type { TestConsole } from "../../services/console/testing/start-test-console.ts";
import { operateOn } from "./operate-on.ts";

/** The real surgeon, with a model that nobody reaches. */
export function startRealSurgeon({ system }: TestConsole): void {
  operateOn(system, { upkeepMs: 100, prices: {} });
}
