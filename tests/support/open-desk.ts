import { onTestFinished } from "vitest";
import { createModelClient } from "#shared/model";
import { startTestConsole } from "../../services/console/testing/start-test-console.ts";
import type { TestConsole } from "../../services/console/testing/start-test-console.ts";
import { openSurgeonTestSystem } from "../../services/surgeon/testing/surgeon-test-system.ts";
import type { SurgeonTestSystem } from "../../services/surgeon/testing/surgeon-test-system.ts";

/** The desk of the surgeon's own tests, whose agents and surgeon ask one endpoint, with a console beside it. */
export async function openDesk(
  options: Parameters<typeof openSurgeonTestSystem>[0] = {},
): Promise<SurgeonTestSystem & { console: TestConsole }> {
  const system = await openSurgeonTestSystem(options);
  const models = { router: "gpt-5-nano", worker: "gpt-5-mini", surgeon: "gpt-5" };
  const model = createModelClient({ baseUrl: system.endpoint.url, apiKey: "none", models, timeoutMs: 2000 });
  onTestFinished(() => model.close());
  await system.world.start({ model });
  return { ...system, console: await startTestConsole({}, [], system.world) };
}
