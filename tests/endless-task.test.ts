import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { setClock } from "#shared/clock";
import { contract } from "#shared/contract";
import { RETRY_POLICY_DEFAULT } from "#shared/failure";
import { agent, RUNTIME_LIMITS_DEFAULT, team } from "#shared/runtime";
import { answerOf, startedForm } from "../services/gateway/testing/answer.ts";
import { chooseFreePort } from "../infra/redis/redis-process.ts";
import { startTestGateway } from "../services/gateway/testing/start-test-gateway.ts";

/** A task with no expiry outlives an outage of weeks. The clock is moved, never slept. */

const DAY_MS = 86_400_000;
const DAYS = 40;

const Report = contract("endless.report@1", z.object({ name: z.string() }));

it("tries a task that never expires for as long as its endpoint is away, over restarts, and pays for no step twice", async () => {
  const port = await chooseFreePort(null);
  const url = `http://127.0.0.1:${port}/`;
  let looked = 0;
  let asked = 0;
  const patient = team("endless", [
    agent("endless-sender@1", {
      accepts: Report,
      deliveriesMax: Infinity,
      handle: async ({ name }, ctx) => {
        const found = await ctx.step("look", () => (looked += 1));
        asked += 1;
        const reply = await fetch(url, { method: "POST", body: name, signal: ctx.signal });
        return ctx.complete({ found, said: await reply.text() });
      },
    }),
  ]);
  const gateway = await startTestGateway({ team: patient });
  const { system } = gateway;
  const work = {
    // The clock is moved below, and the workers are not to stand still for it.
    guard: { clockCheckMs: 3_600_000 },
    // A machine that stands still for seconds takes no message from its worker.
    lockMs: 60_000,
    // Nothing comes again by itself on the first day, however slow this machine is.
    limits: {
      ...RUNTIME_LIMITS_DEFAULT,
      retry: { ...RETRY_POLICY_DEFAULT, delayMs: DAY_MS, delayMsMax: DAY_MS },
    },
  };
  let agents = await system.start(work);
  const started = await answerOf(
    gateway.post("/v1/tasks", { team: "endless", input: { name: "weekly" }, ttl_ms: null }),
    startedForm,
  );
  const retry = system.store.queues.of("endless-sender", "retry");
  for (let day = 1; day <= DAYS; day += 1) {
    await expect.poll(async () => (await retry.getJobCountByTypes("delayed")) + asked).toBe(day + 1);
    if (day === DAYS / 2) {
      await agents.stop(1000);
      agents = await system.start(work);
    }
    if (day === DAYS) break;
    onTestFinished(setClock({ now: () => Date.now() + day * DAY_MS }));
    // The engine's own clock would do this on that day.
    await retry.promoteJobs();
  }
  expect(await system.store.runs.get(started.run_id)).toMatchObject({ status: "running", ended_ms: null });
  const endpoint = createServer((_, response) => response.end("received"));
  await new Promise<void>((resolve) => endpoint.listen(port, "127.0.0.1", resolve));
  onTestFinished(() => void endpoint.close());
  await retry.promoteJobs();
  const run = await system.until(started.run_id);
  expect(run).toMatchObject({ status: "completed", result: { found: 1, said: "received" } });
  expect(asked).toBe(DAYS + 1);
  expect(looked).toBe(1);
  const events = await system.store.runs.events(started.run_id, { from: 0, limit: 200 });
  const [first, last] = [events[0], events.findLast(({ type }) => type === "completed")];
  expect(Date.parse(last?.at ?? "") - Date.parse(first?.at ?? "")).toBeGreaterThan((DAYS - 2) * DAY_MS);
});
