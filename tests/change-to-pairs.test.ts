import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { edgesOf } from "#shared/runtime";
import { openKeyFile } from "#shared/runtime/process";
import { createTestSystem } from "#shared/testing";
import { findCases } from "#shared/ward";
import { prepareKeys } from "../services/cli/keys/key-commands.ts";
import { rotate } from "../services/cli/keys/rotate.ts";
import { issueKeys, openFittingKeys, readGenerations } from "../services/cli/launcher/key-files.ts";
import { keyFile } from "../services/cli/launcher/places.ts";
import { writeSecret } from "../services/cli/launcher/secret-file.ts";
import yard from "./isolated/teams/yard/team.ts";

/** The way from shared secrets to key pairs, and what becomes of what is under way. */

const CHECK_MS = 50;
const edges = edgesOf([yard]);
let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "suture-pairs-"));
  vi.stubEnv("SUTURE_TEAMS", "tests/isolated/teams");
  vi.stubEnv("SUTURE_KEYS_CHECK_MS", String(CHECK_MS));
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, "write").mockReturnValue(true);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    rmSync(dataDir, { recursive: true, force: true });
  });
});

/** Opens a service's key file as its process does. @returns What it logged as well. */
function openFile(name: string, trust: "shared" | "isolated") {
  const said: string[] = [];
  const logger = pino({ level: "warn" }, { write: (line: string) => void said.push(line) });
  const keys = openKeyFile({ dataDir, edgeKeysFile: null, keysCheckMs: CHECK_MS, trust }, name, logger);
  onTestFinished(() => keys.close());
  return { keyring: keys.keyring, said };
}

async function rotateTo(
  trust: "shared" | "isolated",
  options: Omit<Parameters<typeof rotate>[0], "dataDir"> = {},
) {
  vi.stubEnv("SUTURE_TRUST", trust);
  await rotate({ dataDir, ...options });
}

describe("what is sealed with a shared secret, once keys are pairs,", () => {
  it.each([
    ["is handled while its generation is kept", { retires: false, status: "completed" }],
    ["waits for a person once that is retired", { retires: true, status: "quarantined" }],
  ] as const)(
    "%s",
    async (_what, { retires, status }) => {
      await prepareKeys({ dataDir });
      const system = createTestSystem(yard);
      writeSecret(keyFile.master(dataDir), system.master);
      const { runId } = await system.submit({ id: "before", boxes: 3, way: "plain" });
      await rotateTo("isolated");
      await rotateTo("isolated");
      if (retires) await rotateTo("isolated", { retireBefore: 2 });
      expect(readGenerations(dataDir)).toMatchObject({ signing: 2, ed25519: [2] });
      for (const agent of ["dock", "crane", "ledge"])
        await system.start({ only: [agent], keyring: issueKeys({ dataDir, edges, agents: [agent] }) });
      expect((await system.until(runId, ["completed", "quarantined"])).status).toBe(status);
      if (!retires) return;
      const { cases } = await findCases(system.store, { filter: { run_id: runId }, limit: 1 });
      expect(cases).toMatchObject([{ failure_class: "untrusted" }]);
      const [one] = cases;
      const stored = await system.store.cases.get(one?.case_id ?? "");
      expect(JSON.stringify(stored.fields)).toContain("ENVELOPE_KEY_UNKNOWN");
    },
    60_000,
  );
});

it("begins with pairs where agents are isolated, in a file for each of them and the relay", async () => {
  vi.stubEnv("SUTURE_TRUST", "isolated");
  await prepareKeys({ dataDir });
  const agents = ["dock", "crane", "ledge"].map((name) => [`agents-${name}`, name] as const);
  const services = ["gateway", "surgeon", "console", "relay"].map((name) => [name, name] as const);
  for (const [file, sender] of [...services, ...agents]) {
    expect(readFileSync(keyFile.ofProcess(dataDir, file), "utf8"), file).not.toContain('"HS256"');
    const { keyring, said } = openFile(file, "isolated");
    expect(keyring.describe().senders, file).toEqual([sender]);
    expect(said).toEqual([]);
  }
});

it("begins with shared secrets where agents share one trust domain, and keeps what it began with", async () => {
  await prepareKeys({ dataDir });
  expect(openFile("gateway", "shared").keyring.signing("gateway", "dock").alg).toBe("HS256");
  vi.stubEnv("SUTURE_TRUST", "isolated");
  await prepareKeys({ dataDir });
  expect(openFile("gateway", "shared").keyring.signing("gateway", "dock").alg).toBe("HS256");
});

it("starts nothing isolated whose keys its receivers share, and says what to do", async () => {
  await prepareKeys({ dataDir });
  const refusal = { code: "COMMAND_REFUSED", remedy: expect.stringContaining("suture keys rotate") };
  expect(() => openFittingKeys({ dataDir, trust: "isolated" })).toThrow(expect.objectContaining(refusal));
  expect(() => openFile("gateway", "isolated")).toThrow(
    expect.objectContaining({
      code: "KEY_FILE_SHARED",
      remedy: expect.stringContaining("suture keys rotate"),
    }),
  );
  await rotateTo("isolated");
  expect(() => openFile("gateway", "isolated")).toThrow(expect.objectContaining({ code: "KEY_FILE_SHARED" }));
  await rotateTo("isolated");
  openFittingKeys({ dataDir, trust: "isolated" });
  for (const name of ["gateway", "surgeon"])
    expect(openFile(name, "isolated").said.join(), name).toContain("shared secrets still verify");
  await rotateTo("isolated", { retireBefore: 2 });
  expect(openFile("surgeon", "isolated").said).toEqual([]);
});

it("goes over to pairs under way without a restart, and takes no shared secrets back to sign with", async () => {
  await prepareKeys({ dataDir });
  const shared = openFile("gateway", "shared");
  const before = readFileSync(keyFile.ofProcess(dataDir, "gateway"), "utf8");
  await rotateTo("isolated");
  await rotateTo("isolated");
  const signing = () => shared.keyring.signing("gateway", "dock").key_id;
  await expect.poll(signing).toBe("gateway>dock#2");
  const isolated = openFile("gateway", "isolated");
  writeSecret(keyFile.ofProcess(dataDir, "gateway"), before);
  await expect.poll(() => isolated.said.join()).toContain("KEY_FILE_SHARED");
  expect(isolated.keyring.signing("gateway", "dock").alg).toBe("EdDSA");
});

it("goes on with pairs where nobody names the profile, and back to secrets only by name", async () => {
  vi.stubEnv("SUTURE_TRUST", "isolated");
  await prepareKeys({ dataDir });
  await rotateTo("shared");
  await rotateTo("shared");
  expect(readGenerations(dataDir)).toEqual({ signing: 2, verifying: [2, 1], ed25519: [2, 1] });
  await rotateTo("isolated", { secrets: true });
  expect(readGenerations(dataDir)).toMatchObject({ verifying: [3, 2, 1], ed25519: [3, 2, 1] });
  await rotateTo("shared");
  await rotateTo("shared", { secrets: true });
  expect(readGenerations(dataDir)).toMatchObject({ signing: 3, verifying: [4, 3, 2, 1], ed25519: [3, 2, 1] });
});
