import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { issueKeyFile, issueKeys, openApiKeys, openMaster } from "./key-files.ts";
import { keyFile } from "./secret-file.ts";

const EDGES = [
  { from: "gateway", to: "triage" },
  { from: "triage", to: "refunds" },
  { from: "triage", to: "ward" },
  { from: "surgeon", to: "triage" },
];

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "suture-keys-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test("makes the master once, for its owner alone", () => {
  const master = openMaster(dataDir);
  expect(openMaster(dataDir)).toBe(master);
  expect(statSync(keyFile.master(dataDir)).mode & 0o777).toBe(0o600);
  expect(statSync(openApiKeys(dataDir)).mode & 0o777).toBe(0o600);
});

test("gives a process the keys of its own edges and no others", () => {
  const file = issueKeyFile({ dataDir, edges: EDGES, agents: ["refunds"], name: "agents-1" });
  const { keys } = JSON.parse(readFileSync(file, "utf8")) as { keys: { key_id: string; use: string }[] };
  expect(keys.map(({ key_id, use }) => [key_id, use])).toEqual([["triage>refunds#1", "verify"]]);
  expect(readFileSync(file, "utf8")).not.toContain(openMaster(dataDir));
});

test("lets the surgeon open what is addressed to the ward, and sign nothing there in another's name", () => {
  const keyring = issueKeys({ dataDir, edges: EDGES, agents: ["surgeon"] });
  expect(keyring.find("triage>ward#1")?.signing).toBeUndefined();
  expect(keyring.signing("surgeon", "triage").key_id).toBe("surgeon>triage#1");
});

test("lets every process verify what people decide, and the console alone sign it", () => {
  const edges = [...EDGES, { from: "console", to: "ward", alg: "EdDSA" } as const];
  for (const agents of [["refunds"], ["gateway"], ["surgeon"], ["triage", "refunds"]]) {
    const keyring = issueKeys({ dataDir, edges, agents });
    expect(keyring.canVerify("console", "ward"), agents.join()).toBe(true);
    expect(keyring.canSign("console", "ward"), agents.join()).toBe(false);
    // No private half, and no shared secret, from which one could sign all the same.
    const { keys } = JSON.parse(keyring.exportJson()) as { keys: Record<string, unknown>[] };
    const own = keys.filter(({ from }) => from === "console");
    expect(own.map((key) => [key["alg"], key["private"], key["secret"]])).toEqual([
      ["EdDSA", undefined, undefined],
    ]);
  }
  expect(issueKeys({ dataDir, edges, agents: ["console"] }).canSign("console", "ward")).toBe(true);
});
