import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { openKeyFile } from "#shared/runtime/process";
import { prepareKeys } from "../services/cli/keys/key-commands.ts";
import { rotate } from "../services/cli/keys/rotate.ts";
import { keyFile } from "../services/cli/launcher/places.ts";
import { writeSecret } from "../services/cli/launcher/secret-file.ts";

/** The way from shared secrets to key pairs, and what becomes of what is under way. */

const CHECK_MS = 50;
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
