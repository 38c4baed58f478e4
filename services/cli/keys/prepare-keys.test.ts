import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { Keyring } from "#shared/envelope/keys";
import { keyFile } from "../launcher/places.ts";
import { prepareKeys } from "./key-commands.ts";

async function prepareIn(trust: string): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), "suture-prepare-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  vi.stubEnv("SUTURE_TEAMS", "tests/isolated/teams");
  vi.stubEnv("SUTURE_TRUST", trust);
  await prepareKeys({ dataDir });
  return dataDir;
}

it("where agents are isolated, gives the relay and each agent a key file of its own", async () => {
  const dataDir = await prepareIn("isolated");
  const sendersOf = (name: string): readonly string[] =>
    Keyring.fromJson(JSON.parse(readFileSync(keyFile.ofProcess(dataDir, name), "utf8"))).describe().senders;
  for (const name of ["dock", "crane", "ledge"]) expect(sendersOf(`agents-${name}`)).toEqual([name]);
  expect(sendersOf("relay")).toEqual(["relay"]);
  expect(existsSync(keyFile.ofProcess(dataDir, "agents"))).toBe(false);
});

it("else gives all agents one, and no relay any", async () => {
  const dataDir = await prepareIn("shared");
  expect(existsSync(keyFile.ofProcess(dataDir, "agents"))).toBe(true);
  expect(existsSync(keyFile.ofProcess(dataDir, "relay"))).toBe(false);
});
