import { onTestFinished } from "vitest";
import { createModelClient } from "#shared/model";
import type { ModelClient } from "#shared/model";
import type { Team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { startModelEndpoint } from "./model-endpoint.ts";
import type { ModelEndpoint } from "./model-endpoint.ts";

/** Models whose prices are listed. */
export const PRICED = { router: "gpt-5-nano", worker: "gpt-5-mini", surgeon: "gpt-5" };

/** A real endpoint, which answers as `endpoint.behave` says, and a client to it. Both end with the test. */
export async function openModel(
  team: Team,
  more: Partial<Parameters<typeof createModelClient>[0]> = {},
): Promise<{ readonly endpoint: ModelEndpoint; readonly model: ModelClient }> {
  const endpoint = await startModelEndpoint([team]);
  const model = createModelClient({
    baseUrl: endpoint.url,
    apiKey: "test",
    models: { router: "small", worker: "middle", surgeon: "large" },
    timeoutMs: 10_000,
    isRehearsal: false,
    ...more,
  });
  onTestFinished(() => {
    model.close();
    endpoint.close();
  });
  return { endpoint, model };
}

/** A team at work on a real Redis, asking a model as {@link openModel} opens it. */
export async function openModelSystem(
  team: Team,
  start: Parameters<TestSystem["start"]>[0] = {},
): Promise<{ readonly system: TestSystem; readonly endpoint: ModelEndpoint; readonly model: ModelClient }> {
  const system = createTestSystem(team);
  const { endpoint, model } = await openModel(team);
  await system.start({ model, ...start });
  return { system, endpoint, model };
}
