import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { testPrefix, testRedisUrl } from "#shared/testing";
import { createTeamKeyring, openBenchStore, submitRun } from "../../bench/suture-system.ts";
import { HolderProcess } from "./holder-process.ts";
import recovery from "./teams/recovery/team.ts";

/** A lock is renewed every half of its life: a kill falls anywhere between two renewals. */
const HELD_MS_MAX = 2500;
const TIMEOUT_MS = 75_000;

it(
  "gives the message of a killed process to another one, which ends it, with every setting at its default",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "suture-recovery-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const place = { url: testRedisUrl(), prefix: testPrefix() };
    const keyring = createTeamKeyring(recovery, ["gateway"]);
    const keyFile = join(folder, "keys.json");
    writeFileSync(keyFile, keyring.exportJson(), { mode: 0o600 });
    const store = openBenchStore({ ...place, onError: () => undefined });
    onTestFinished(() => store.close());
    const holders = [1, 2].map(() => new HolderProcess({ ...place, keyFile, dataDir: folder }));
    onTestFinished(async () => {
      for (const holder of holders) holder.kill();
      await Promise.all(holders.map((holder) => holder.whenGone()));
    });
    const within = { timeout: TIMEOUT_MS / 2 };
    // A process that still starts could not take anything over: its birth is not what is measured.
    const pids = async () => (await store.registry.live()).map((presence) => presence.pid);
    await expect.poll(pids, within).toEqual(expect.arrayContaining(holders.map(({ pid }) => pid)));

    const taken = Promise.race(holders.map((holder) => holder.whenTaken(1)));
    const runId = await submitRun({ store, keyring, team: recovery }, { payload: { n: 1 } });
    const victim = await taken;
    const heirs = holders.filter((holder) => holder !== victim);
    const takenOver = Promise.race(heirs.map((holder) => holder.whenTaken(1)));
    await sleep(Math.random() * HELD_MS_MAX);
    const killedMs = performance.now();
    victim.kill();
    const heir = await takenOver;
    console.log(`Taken over after ${Math.round(performance.now() - killedMs)} ms.`);
    heir.release(1);
    await expect.poll(async () => (await store.runs.get(runId)).status, within).toBe("completed");
  },
  TIMEOUT_MS,
);
