import { onTestFinished } from "vitest";
import { createModelClient } from "#shared/model";
import type { ModelClient } from "#shared/model";
import type { Team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { startModelEndpoint } from "./model-endpoint.ts";
import type { ModelEndpoint } from "./model-endpoint.ts";

/** A team at work on a real Redis, asking a real endpoint, which answers as `endpoint.behave` says. */
export async function openModelSystem(
  team: Team,
  start: Parameters<TestSystem["start"]>[0] = {},
): Promise<{ readonly system: TestSystem; readonly endpoint: ModelEndpoint; readonly model: ModelClient }> {
  const system = createTestSystem(team);
  const endpoint = await startModelEndpoint([team]);
  const model = createModelClient({
    baseUrl: endpoint.url,
    apiKey: "test",
    models: { router: "small", worker: "middle", surgeon: "large" },
    timeoutMs: 10_000,
    isRehearsal: false,
  });
  onTestFinished(async () => {
    model.close();
    await endpoint.close();
  });
  await system.start({ model, ...start });
  return { system, endpoint, model };
}
