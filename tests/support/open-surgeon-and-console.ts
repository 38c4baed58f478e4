import { onTestFinished } from "vitest";
import { createModelClient } from "#shared/model";
import { startTestConsole } from "../../services/console/testing/start-test-console.ts";
import type { TestConsole } from "../../services/console/testing/start-test-console.ts";
import { openSurgeonTestSystem } from "../../services/surgeon/testing/surgeon-test-system.ts";
import type { SurgeonTestSystem } from "../../services/surgeon/testing/surgeon-test-system.ts";

/** Opens the surgeon's test system with its agents started, and a console for it. */
export async function openSurgeonAndConsole(
  options: Parameters<typeof openSurgeonTestSystem>[0] = {},
): Promise<SurgeonTestSystem & { console: TestConsole }> {
  const system = await openSurgeonTestSystem(options);
  const models = { router: "gpt-5-nano", worker: "gpt-5-mini", surgeon: "gpt-5" };
  const model = createModelClient({ baseUrl: system.endpoint.url, apiKey: "none", models, timeoutMs: 2000 });
  onTestFinished(() => model.close());
  await system.start({ model });
  return { ...system, console: await startTestConsole({}, [], system) };
}
