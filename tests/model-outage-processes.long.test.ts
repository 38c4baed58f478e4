import { expect, it, onTestFinished } from "vitest";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import greeter from "./eval/teams/greeter/team.ts";
import { spawnAgents, whenGone } from "./support/agent-process.ts";
import { startModelEndpoint } from "./support/model-endpoint.ts";
import type { ModelEndpoint } from "./support/model-endpoint.ts";

/** Real processes of agents that die or are started anew while their model's endpoint is away. */

const MESSAGES = 5;

interface Fixture {
  readonly system: TestSystem;
  readonly endpoint: ModelEndpoint;
  readonly spawn: (env: Readonly<Record<string, string>>) => ReturnType<typeof spawnAgents>;
}

async function openFixture(): Promise<Fixture> {
  const system = createTestSystem(greeter);
  const endpoint = await startModelEndpoint([greeter]);
  onTestFinished(() => endpoint.close());
  const spawn: Fixture["spawn"] = (env) =>
    spawnAgents({
      agents: [...greeter.agents.keys()],
      prefix: system.store.keys.prefix,
      keyring: system.keyring,
      modelUrl: endpoint.url,
      sandboxUrl: "http://127.0.0.1:9",
      env: { SUTURE_TEAMS: "tests/eval/teams", ...env },
    });
  return { system, endpoint, spawn };
}

async function expectAllDone({ system }: Fixture, withinMs: number): Promise<void> {
  const completed = async (): Promise<number> => (await system.store.runs.counts()).completed;
  await expect.poll(completed, { timeout: withinMs, interval: 50 }).toBe(MESSAGES);
  const cases = Object.values(await system.store.cases.counts());
  expect(cases.reduce((sum, count) => sum + count, 0)).toBe(0);
}

async function submitAll({ system }: Fixture): Promise<void> {
  for (let index = 0; index < MESSAGES; index += 1) await system.submit({ text: "I am glad." });
}

it("goes on at once when processes are started anew with the right key", async () => {
  const fixture = await openFixture();
  const { system, endpoint } = fixture;
  endpoint.behave = ({ headers }) =>
    headers["authorization"] === "Bearer sk-right" ? null : (response) => response.writeHead(401).end("{}");
  const wrong = fixture.spawn({ OPENAI_API_KEY: "sk-wrong", SUTURE_MODEL_PROBE_MS_MAX: "600000" });
  await submitAll(fixture);
  const reasons = async () => (await system.store.registry.live()).map((one) => one.waits_for_model?.reason);
  await expect.poll(reasons, { timeout: 60_000 }).toContain("configuration");
  expect(endpoint.seen.length).toBeLessThanOrEqual(MESSAGES);
  wrong.kill("SIGTERM");
  await whenGone(wrong);
  // Its next probe would have been in ten minutes.
  fixture.spawn({
    OPENAI_API_KEY: "sk-right",
    SUTURE_MODEL_PROBE_MS_MAX: "600000",
    SUTURE_RETRY_DELAY_MS_MAX: "2000",
  });
  // The messages sleep as long as the process before had reason to: this spares the test the wait.
  await system.store.queues.of("read-mood", "retry").promoteJobs();
  await expectAllDone(fixture, 90_000);
}, 120_000);

it("goes on when the process that held the probe was killed", async () => {
  const fixture = await openFixture();
  const { endpoint } = fixture;
  const settings = { SUTURE_MODEL_TIMEOUT_MS: "2000", SUTURE_RETRY_DELAY_MS_MAX: "1000" };
  let failures = 0;
  const probe = Promise.withResolvers<void>();
  endpoint.behave = () => (response) => {
    failures += 1;
    // The first after the circuit has opened, with what was under way by then, is never answered.
    if (failures <= MESSAGES) response.writeHead(503).end("{}");
    else probe.resolve();
  };
  const holder = fixture.spawn(settings);
  await submitAll(fixture);
  await probe.promise;
  holder.kill("SIGKILL");
  await whenGone(holder);
  endpoint.behave = () => null;
  fixture.spawn(settings);
  await expectAllDone(fixture, 90_000);
}, 120_000);
