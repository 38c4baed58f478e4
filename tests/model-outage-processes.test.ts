import { expect, it, onTestFinished } from "vitest";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import greeter from "./eval/teams/greeter/team.ts";
import { spawnAgents, whenGone } from "./support/agent-process.ts";
import { startModelEndpoint } from "./support/model-endpoint.ts";
import type { ModelEndpoint } from "./support/model-endpoint.ts";

/** Real processes of agents that die or are started anew while their model's endpoint is away. */

const MESSAGES = 5;

interface Stage {
  readonly world: TestSystem;
  readonly endpoint: ModelEndpoint;
  readonly spawn: (env: Readonly<Record<string, string>>) => ReturnType<typeof spawnAgents>;
}

async function openStage(): Promise<Stage> {
  const world = createTestSystem(greeter);
  const endpoint = await startModelEndpoint([greeter]);
  onTestFinished(() => endpoint.close());
  const spawn: Stage["spawn"] = (env) =>
    spawnAgents({
      agents: [...greeter.agents.keys()],
      prefix: world.store.keys.prefix,
      keyring: world.keyring,
      modelUrl: endpoint.url,
      sandboxUrl: "http://127.0.0.1:9",
      env: { SUTURE_TEAMS: "tests/eval/teams", ...env },
    });
  return { world, endpoint, spawn };
}

async function expectAllDone({ world }: Stage, withinMs: number): Promise<void> {
  const completed = async (): Promise<number> => (await world.store.runs.counts()).completed;
  await expect.poll(completed, { timeout: withinMs, interval: 50 }).toBe(MESSAGES);
  const cases = Object.values(await world.store.cases.counts());
  expect(cases.reduce((sum, count) => sum + count, 0)).toBe(0);
}

async function submitAll({ world }: Stage): Promise<void> {
  for (let index = 0; index < MESSAGES; index += 1) await world.submit({ text: "I am glad." });
}

it("goes on at once when processes are started anew with the right key", async () => {
  const stage = await openStage();
  const { world, endpoint } = stage;
  endpoint.behave = ({ headers }) =>
    headers["authorization"] === "Bearer sk-right" ? null : (response) => response.writeHead(401).end("{}");
  const wrong = stage.spawn({ OPENAI_API_KEY: "sk-wrong", SUTURE_MODEL_PROBE_MS_MAX: "600000" });
  await submitAll(stage);
  const reasons = async () => (await world.store.registry.live()).map((one) => one.waits_for_model?.reason);
  await expect.poll(reasons, { timeout: 60_000 }).toContain("configuration");
  expect(endpoint.seen.length).toBeLessThanOrEqual(MESSAGES);
  wrong.kill("SIGTERM");
  await whenGone(wrong);
  // Its next probe would have been in ten minutes.
  stage.spawn({
    OPENAI_API_KEY: "sk-right",
    SUTURE_MODEL_PROBE_MS_MAX: "600000",
    SUTURE_RETRY_DELAY_MS_MAX: "2000",
  });
  // The messages sleep as long as the process before had reason to: this spares the test the wait.
  await world.store.queues.of("read-mood", "retry").promoteJobs();
  await expectAllDone(stage, 30_000);
}, 120_000);

it("goes on when the process that held the probe was killed", async () => {
  const stage = await openStage();
  const { endpoint } = stage;
  const settings = { SUTURE_MODEL_TIMEOUT_MS: "2000", SUTURE_RETRY_DELAY_MS_MAX: "1000" };
  let failures = 0;
  const probe = Promise.withResolvers<void>();
  endpoint.behave = () => (response) => {
    failures += 1;
    // The first after the circuit has opened, with what was under way by then, is never answered.
    if (failures <= MESSAGES) response.writeHead(503).end("{}");
    else probe.resolve();
  };
  const holder = stage.spawn(settings);
  await submitAll(stage);
  await probe.promise;
  holder.kill("SIGKILL");
  await whenGone(holder);
  endpoint.behave = () => null;
  stage.spawn(settings);
  await expectAllDone(stage, 40_000);
}, 120_000);
