import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { createTestSystem, serveHttp } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { findCases } from "#shared/ward";
import poison from "./support/poison-team/poison/team.ts";
import { spawnAgents, whenGone } from "./support/service-process.ts";
import stepsTeam, { STEPS } from "./support/steps-team/steps/team.ts";
import { startOwnRedis, untilTrue } from "./support/redis-servers.ts";
import { openOfficeDeployment } from "./support/office-deployment.ts";

/** Guarantee 7: a message that kills its worker again and again ends in quarantine, and the others go on. */
it("quarantines a message that kills its worker three times, while others are handled", async () => {
  const system = createTestSystem(poison);
  const over = new AbortController();
  let deaths = 0;
  const keepAlive = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const child = spawnAgents(system, ["taster"], {
        SUTURE_TEAMS: "tests/support/poison-team",
        SUTURE_LOCK_MS: "1000",
        SUTURE_STALLED_INTERVAL_MS: "300",
      });
      await whenGone(child);
      deaths += 1;
    }
  };
  const supervisor = keepAlive();
  onTestFinished(() => over.abort());
  const killer = await system.submit({ kills: true });
  const healthy = await Promise.all(Array.from({ length: 5 }, () => system.submit({ kills: false })));
  for (const { runId } of healthy) expect((await system.until(runId)).result).toBe("survived");
  expect((await system.until(killer.runId, ["quarantined"])).status).toBe("quarantined");
  expect((await system.run({ kills: false })).result).toBe("survived");
  const [found] = (await findCases(system.store, { filter: { run_id: killer.runId }, limit: 1 })).cases;
  expect(found).toMatchObject({ failure_class: "crash_loop", status: "quarantined" });
  over.abort();
  expect(deaths).toBe(3);
  void supervisor;
});

/** Guarantee 5: a zombie, a worker that lost its lock, cannot commit over the one that took over. Fencing, not luck. */

const Job = contract("job@1", z.object({ n: z.number() }));

it("refuses the outcome, the steps and the effects of a worker that lost its lock", async () => {
  const gates: (() => void)[] = [];
  const refused: unknown[] = [];
  const effects: number[] = [];
  const recorded: number[] = [];
  const worker = agent("worker@1", {
    accepts: Job,
    handle: async (_input, ctx) => {
      const turn = gates.length;
      await new Promise<void>((resolve) => gates.push(resolve));
      try {
        await ctx.step("mark", () => turn);
        recorded.push(turn);
        await ctx.once("effect", async () => effects.push(turn));
      } catch (error) {
        refused.push(error);
        throw error;
      }
      return ctx.complete({ turn });
    },
  });
  const system = createTestSystem(team("solo", [worker]));
  // The engine renews a lock at half its life: far away, so that nothing but the fence can tell the first worker.
  await system.start({ lockMs: 600_000, stalledIntervalMs: 300 });
  const { runId, envelope } = await system.submit({ n: 1 });
  const id = envelope.meta.message_id;
  await expect.poll(() => gates.length).toBe(1);
  await system.store.redis.del(system.store.keys.lock("worker", id));
  await expect.poll(() => gates.length).toBe(2);
  gates[0]?.();
  await expect.poll(() => refused.length).toBe(1);
  expect(refused[0]).toMatchObject({ code: "LOCK_LOST" });
  expect((await system.store.runs.get(runId)).status).toBe("running");
  gates[1]?.();
  expect(await system.until(runId)).toMatchObject({ status: "completed", result: { turn: 1 } });
  expect(recorded).toEqual([1]);
  expect(effects).toEqual([1]);
});

/** A run is resumed after its process was killed between any two of its steps: what was done is not done again. */

/** Acts and state of the agent, as the outside world sees it. */
async function openOutside() {
  const done: string[] = [];
  let hold: string | null = null;
  let held = Promise.withResolvers<void>();
  const url = await serveHttp((request, response) => {
    const path = (request.url ?? "").slice(1);
    if (path.startsWith("step/")) done.push(path);
    // A process that stands here is killed: it gets no answer.
    if (path === hold) held.resolve();
    else response.end(`answer ${done.length}`);
  });
  return {
    url,
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
  return spawnAgents(system, ["stepper"], {
    SUTURE_SANDBOX_URL: url,
    SUTURE_TEAMS: "tests/support/steps-team",
  });
}

/** Runs a task whose process is killed where it stands at this place outside, and starts another process. */
async function killAt(place: string) {
  const system = createTestSystem(stepsTeam);
  const outside = await openOutside();
  const stands = outside.holdAt(place);
  const struck = spawnStepper(system, outside.url);
  const { runId } = await system.submit({ name: "a" });
  await stands;
  struck.kill("SIGKILL");
  await whenGone(struck);
  outside.letGo();
  spawnStepper(system, outside.url);
  return { system, outside, runId };
}

it.each(Array.from({ length: STEPS }, (_, index) => index + 1))(
  "goes on after step %i when its process is killed there",
  async (step) => {
    const { system, outside, runId } = await killAt(`after/a/${step}`);
    const steps = Array.from({ length: STEPS }, (_, index) => index + 1);
    expect(await system.until(runId)).toMatchObject({
      status: "completed",
      result: steps.map((one) => `answer ${one}`),
    });
    expect(outside.done).toEqual(steps.map((one) => `step/a/${one}`));
  },
);

it("repeats the one step that was under way when its process was killed, and no other", async () => {
  const { system, outside, runId } = await killAt("step/a/3");
  expect(await system.until(runId)).toMatchObject({ status: "completed" });
  expect(outside.done).toEqual(["step/a/1", "step/a/2", "step/a/3", "step/a/3", "step/a/4"]);
});

/** Tells the process to set its clock two hours ahead, or back; told again it puts it right. */
const JUMPS = ["SIGUSR2", "SIGWINCH"] as const;

it("expires nothing when the clock of a worker's machine jumps by two hours, before anybody could notice", async () => {
  const own = await startOwnRedis();
  const { system, running, order, end } = await openOfficeDeployment({ url: own.url });
  await running.stop(1000);
  const child = spawnAgents(system, ["inbox", "desk", "archive"], {
    REDIS_URL: own.url,
    SUTURE_TEAMS: "tests/support/office-team",
    NODE_OPTIONS: "--import=./tests/chaos/processes/obey-signals.ts",
    // The check that holds the work of such a machine never comes.
    SUTURE_CLOCK_CHECK_MS: "600000",
  });
  await end(await order("before"));
  for (const signal of JUMPS) {
    child.kill(signal);
    const runs = await Promise.all(Array.from({ length: 20 }, (_, n) => order(`${signal}-${n}`)));
    for (const runId of runs) await end(runId);
    child.kill(signal);
  }
  await untilTrue(async () => (await system.store.runs.counts()).completed === 41);
  expect(await system.store.runs.counts()).toMatchObject({ submitted: 41, expired: 0 });
});
