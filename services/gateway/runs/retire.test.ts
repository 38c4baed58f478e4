import { expect, it, onTestFinished } from "vitest";
import { setClock } from "#shared/clock";
import { startTestGateway } from "../testing/start-test-gateway.ts";

/** Longer than a process may be silent and still count as live. */
const SILENCE_MS = 20_000;

it("deletes what agents have left that nobody works for, once it has reached its age", async () => {
  const gateway = await startTestGateway({
    bounds: { retireEveryMs: 50 },
    store: { retentionMs: 500, ledgerLifeMs: 500 },
  });
  const { system } = gateway;
  const { redis, keys, registry } = system.store;
  const running = await system.start({ retireEveryMs: 3_600_000 });
  const reply = await gateway.post("/v1/tasks", { team: "gw-chain", input: { text: "x" } });
  await system.until(((await reply.json()) as { run_id: string }).run_id);
  await running.stop(1000);
  const finished = running.agents.map((agent) => keys.job(agent, agent, "completed"));
  expect(await redis.exists(...finished)).toBeGreaterThan(0);
  onTestFinished(setClock({ now: () => Date.now() + SILENCE_MS }));
  await expect.poll(() => redis.exists(...finished), { timeout: 60_000 }).toBe(0);
  // And their names with it.
  await expect.poll(async () => [...(await registry.absent()).keys()], { timeout: 60_000 }).toEqual([]);
}, 120_000);
