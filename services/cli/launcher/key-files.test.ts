import { readFileSync, statSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "#shared/testing";
import { issueKeyFile, issueKeys, keyFile, openApiKeys, openMaster } from "./key-files.ts";

const EDGES = [
  { from: "gateway", to: "triage" },
  { from: "triage", to: "refunds" },
  { from: "triage", to: "ward" },
  { from: "surgeon", to: "triage" },
];

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});

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
