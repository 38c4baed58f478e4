import { onTestFinished } from "vitest";
import { createModelClient } from "#shared/model";
import { startTestConsole } from "../../services/console/testing/start-test-console.ts";
import type { TestConsole } from "../../services/console/testing/start-test-console.ts";
import { openTheatre } from "../../services/surgeon/testing/surgeon-test-system.ts";
import type { Theatre } from "../../services/surgeon/testing/surgeon-test-system.ts";

/** The desk of the surgeon's own tests, whose agents and surgeon ask one endpoint, with a console beside it. */
export async function openDesk(
  options: Parameters<typeof openTheatre>[0] = {},
): Promise<Theatre & { console: TestConsole }> {
  const theatre = await openTheatre(options);
  const models = { router: "gpt-5-nano", worker: "gpt-5-mini", surgeon: "gpt-5" };
  const model = createModelClient({ baseUrl: theatre.endpoint.url, apiKey: "none", models, timeoutMs: 2000 });
  onTestFinished(() => model.close());
  await theatre.world.start({ model });
  return { ...theatre, console: await startTestConsole({}, [], theatre.world) };
}
