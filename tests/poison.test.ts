import { expect, it, onTestFinished } from "vitest";
import { createTestSystem } from "#shared/testing";
import { findCases } from "#shared/ward";
import poison from "./support/poison-team/poison/team.ts";
import { spawnAgents, whenGone } from "./support/agent-process.ts";

/** Guarantee 7: a message that kills its worker again and again ends in quarantine, and the others go on. */
it("quarantines a message that kills its worker three times, while others are handled", async () => {
  const system = createTestSystem(poison);
  const over = new AbortController();
  let deaths = 0;
  const keepAlive = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const child = spawnAgents({
        agents: ["taster"],
        prefix: system.store.keys.prefix,
        keyring: system.keyring,
        modelUrl: "http://127.0.0.1:9/v1",
        sandboxUrl: "http://127.0.0.1:9",
        env: {
          SUTURE_TEAMS: "tests/support/poison-team",
          SUTURE_LOCK_MS: "1000",
          SUTURE_STALLED_INTERVAL_MS: "300",
        },
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
  const after = await system.submit({ kills: false });
  expect((await system.until(after.runId)).result).toBe("survived");
  const [found] = (await findCases(system.store, { filter: { run_id: killer.runId }, limit: 1 })).cases;
  expect(found).toMatchObject({ failure_class: "crash_loop", status: "quarantined" });
  over.abort();
  expect(deaths).toBe(3);
  void supervisor;
}, 120_000);
