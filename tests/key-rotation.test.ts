import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { pino } from "pino";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { Keyring } from "#shared/envelope/keys";
import { edgesOf } from "#shared/runtime";
import { openKeyFile } from "#shared/runtime/process";
import { createTestSystem, temporaryFolder } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { findCases } from "#shared/ward";
import { prepareKeys, rotate, showKeys } from "../services/cli/keys/key-commands.ts";
import { issueKeyFile, keyFile } from "../services/cli/launcher/key-files.ts";
import wall from "./crash-points/pattern-teams/wall/team.ts";
import { spawnService } from "./support/service-process.ts";

/** Keys rotate under work: processes that were started directly follow their files, and no message is refused. */

const TEAMS = "tests/crash-points/pattern-teams";
const CHECK_MS = 100;

let dataDir: string;

beforeEach(() => {
  dataDir = temporaryFolder();
  vi.stubEnv("SUTURE_TEAMS", TEAMS);
  vi.stubEnv("SUTURE_KEYS_CHECK_MS", String(CHECK_MS));
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, "write").mockReturnValue(true);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });
});

/** A real process of agents. @returns what it has logged. */
function startAgents(system: TestSystem, agents: readonly string[], file = "") {
  const SUTURE_KEYS = file === "" ? "" : `@${file}`;
  const keys = { SUTURE_DATA_DIR: dataDir, SUTURE_KEYS, SUTURE_KEYS_CHECK_MS: String(CHECK_MS) };
  return spawnService(system, { name: "agents", args: agents, env: { SUTURE_TEAMS: TEAMS, ...keys } }).output;
}

function openGateway() {
  const config = { dataDir, edgeKeysFile: null, keysCheckMs: CHECK_MS } as const;
  const gateway = openKeyFile(config, "gateway", pino({ level: "silent" }));
  onTestFinished(() => gateway.close());
  return gateway.keyring;
}

it("refuses no message while keys rotate twice under work, and what is sealed with forgotten ones", async () => {
  const system = createTestSystem(wall);
  await prepareKeys({ dataDir });
  const edges = edgesOf([wall]);
  const shell = issueKeyFile({ dataDir, edges, agents: ["wall", "wall-shell"], name: "agents-1" });
  const logs = [
    startAgents(system, ["wall", "wall-shell"], shell),
    startAgents(system, ["wall-left", "wall-right"]),
  ];
  const keyring = openGateway();
  const before = Keyring.merge([keyring]);
  const submit = () => {
    system.keyring.replaceWith(keyring);
    return system.submit({ first: "begun" }, { ttlMs: 60_000 });
  };
  const runs: string[] = [];
  const over = new AbortController();
  const traffic = (async () => {
    while (!over.signal.aborted) {
      runs.push((await submit()).runId);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  const first = runs[0] ?? (await submit()).runId;
  await system.until(first);
  for (let step = 0; step < 4; step += 1) await rotate({ dataDir });
  await expect.poll(() => logs.map((log) => log().includes('"signing":[3]'))).toEqual([true, true]);
  over.abort();
  await traffic;
  for (const runId of runs) expect(await system.until(runId)).toMatchObject({ status: "completed" });
  expect(runs.length).toBeGreaterThan(50);
  expect((await findCases(system.store, { filter: {}, limit: 10 })).cases).toEqual([]);

  await rotate({ dataDir, retireBefore: 3 });
  await expect.poll(() => logs.map((log) => log().includes('"verifying":[3]'))).toEqual([true, true]);
  system.keyring.replaceWith(before);
  const { runId } = await system.submit({ first: "sealed with what was forgotten" });
  await system.until(runId, ["quarantined"]);
  const cases = async () => (await findCases(system.store, { filter: {}, limit: 10 })).cases;
  await expect.poll(cases).toMatchObject([{ run_id: runId, failure_class: "untrusted" }]);
});

it("keeps its keys where the new file is none, is cut off, gone, or another process's, and says so once", async () => {
  await prepareKeys({ dataDir });
  const file = keyFile.ofProcess(dataDir, "agents");
  const good = readFileSync(file, "utf8");
  const said: string[] = [];
  const logger = pino({ level: "error" }, { write: (line: string) => void said.push(line) });
  const keys = openKeyFile({ dataDir, edgeKeysFile: null, keysCheckMs: 50 } as const, "agents", logger);
  onTestFinished(() => keys.close());
  const key = keys.keyring.signing("wall-left", "wall-shell");
  const gateway = readFileSync(keyFile.ofProcess(dataDir, "gateway"), "utf8");
  for (const [turn, bad] of ["", "{}", good.slice(0, -40), gateway, null].entries()) {
    if (bad === null) rmSync(file);
    else writeFileSync(file, bad);
    await expect.poll(() => said.length).toBe(turn + 1);
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(said.length).toBe(turn + 1);
    expect(keys.keyring.signing("wall-left", "wall-shell")).toBe(key);
  }
  expect(said.join()).not.toContain(JSON.parse(good).keys[0].secret);
  await rotate({ dataDir });
  await rotate({ dataDir });
  const print = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  showKeys({ dataDir, json: true });
  expect(JSON.parse(String(print.mock.lastCall?.[0]))).toMatchObject({
    signing: 2,
    processes: expect.arrayContaining([
      expect.objectContaining({ name: "agents", signing: [2], verifying: [1, 2] }),
    ]),
  });
  await expect
    .poll(() => keys.keyring.signing("wall-left", "wall-shell").key_id)
    .toBe("wall-left>wall-shell#2");
});
