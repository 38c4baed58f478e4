import { createServer } from "node:http";
import { expect, it } from "vitest";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { spawnAgents, whenGone } from "./support/agent-process.ts";
import stepsTeam, { STEPS } from "./support/steps-team/steps/team.ts";
import { listenLocally } from "./support/listen-locally.ts";

/** A run is resumed after its process was killed between any two of its steps: what was done is not done again. */

/** What the agent does and where it stands, as the outside world sees it. */
async function openOutside() {
  const done: string[] = [];
  let hold: string | null = null;
  let held = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const path = (request.url ?? "").slice(1);
    if (path.startsWith("step/")) done.push(path);
    // Whoever stands here is killed: it gets no answer.
    if (path === hold) held.resolve();
    else response.end(`answer ${done.length}`);
  });
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}`,
    done,
    /** Resolves when an agent stands at this place, and keeps it there. */
    holdAt: (path: string): Promise<void> => {
      held = Promise.withResolvers<void>();
      hold = path;
      return held.promise;
    },
    letGo: (): void => {
      hold = null;
    },
  };
}

function spawnStepper(system: TestSystem, url: string) {
  return spawnAgents({
    agents: ["stepper"],
    prefix: system.store.keys.prefix,
    keyring: system.keyring,
    modelUrl: "http://127.0.0.1:9/v1",
    sandboxUrl: url,
    env: { SUTURE_TEAMS: "tests/support/steps-team" },
  });
}

it.each(Array.from({ length: STEPS }, (_, index) => index + 1))(
  "goes on after step %i when its process is killed there",
  async (step) => {
    const system = createTestSystem(stepsTeam);
    const outside = await openOutside();
    const stands = outside.holdAt(`after/a/${step}`);
    const struck = spawnStepper(system, outside.url);
    const { runId } = await system.submit({ name: "a" });
    await stands;
    struck.kill("SIGKILL");
    await whenGone(struck);
    outside.letGo();
    spawnStepper(system, outside.url);
    const steps = Array.from({ length: STEPS }, (_, index) => index + 1);
    expect(await system.until(runId)).toMatchObject({
      status: "completed",
      result: steps.map((one) => `answer ${one}`),
    });
    expect(outside.done).toEqual(steps.map((one) => `step/a/${one}`));
  },
  60_000,
);

it("repeats the one step that was under way when its process was killed, and no other", async () => {
  const system = createTestSystem(stepsTeam);
  const outside = await openOutside();
  const stands = outside.holdAt("step/a/3");
  const struck = spawnStepper(system, outside.url);
  const { runId } = await system.submit({ name: "a" });
  await stands;
  struck.kill("SIGKILL");
  await whenGone(struck);
  outside.letGo();
  spawnStepper(system, outside.url);
  expect(await system.until(runId)).toMatchObject({ status: "completed" });
  expect(outside.done).toEqual(["step/a/1", "step/a/2", "step/a/3", "step/a/3", "step/a/4"]);
}, 120_000);
