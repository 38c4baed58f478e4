import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createFirst } from "#shared/envelope";
import { createMaster, deriveEdgeKey, deriveEdgeKeyPair, Keyring } from "#shared/envelope/keys";
import { open, seal } from "#shared/envelope/seals";
import type { KeyRecord } from "#shared/envelope/keys";
import { edgesOf } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { crossingFile } from "../launcher/crossing-records.ts";
import { issueKeys } from "../launcher/key-files.ts";
import { writeSecret } from "../launcher/secret-file.ts";
import { cross, importCrossing, issueBridgeKeyFile } from "./crossing-keys.ts";

const TEAMS = "tests/crash-points/bridge-teams";
const REMOTE = ["abroad-appraise", "abroad-archive"];
const HERE = ["abroad-intake", "abroad-report"];
const CROSSING = [
  ["abroad-intake", "abroad-appraise", "home", "far"],
  ["abroad-archive", "abroad-report", "far", "home"],
  ["surgeon", "abroad-appraise", "home", "far"],
  ["surgeon", "abroad-report", "far", "home"],
  ["gateway", "abroad-appraise", "home", "far"],
] as const;

let folder: string;
let printed: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "suture-crossing-"));
  printed = "";
  vi.stubEnv("SUTURE_TEAMS", TEAMS);
  const keep = (text: unknown): boolean => ((printed += String(text)), true);
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, "write").mockImplementation(keep);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

/** From now on this process is a command of that cluster. @returns its data folder. */
function be(cluster: "home" | "far"): string {
  const [peer, agents] = cluster === "home" ? ["far", REMOTE] : ["home", HERE];
  const table = [{ cluster: peer, url: "https://peer.example.org", secrets: ["A".repeat(43)], agents }];
  vi.stubEnv("SUTURE_BRIDGE_CLUSTER", cluster);
  vi.stubEnv("SUTURE_BRIDGE_PEERS", JSON.stringify(table));
  return join(folder, cluster);
}

const fileFrom = (cluster: string): string => join(folder, `from-${cluster}.json`);

async function exchangeKeys(): Promise<{ home: string; far: string; edges: ReturnType<typeof edgesOf> }> {
  await cross("far", { dataDir: be("home"), out: fileFrom("home") });
  await cross("home", { dataDir: be("far"), out: fileFrom("far") });
  await importCrossing(fileFrom("home"), { dataDir: be("far") });
  await importCrossing(fileFrom("far"), { dataDir: be("home") });
  return { home: join(folder, "home"), far: join(folder, "far"), edges: edgesOf(await loadTeams(TEAMS)) };
}

const envelopeFrom = (from: string, to: string) =>
  createFirst({
    from: `${from}@1`,
    to: `${to}@1`,
    contract: "abroad.order@1",
    payload: { task: "t" },
    traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  });

test("each side opens what the other has sealed for it, under masters of their own", async () => {
  const { edges, ...folders } = await exchangeKeys();
  for (const [from, to, sender, receiver] of CROSSING) {
    const envelope = envelopeFrom(from, to);
    const key = issueKeys({ dataDir: folders[sender], edges, agents: [from] }).signing(from, to);
    expect([key.key_id, key.alg]).toEqual([key.key_id, "EdDSA"]);
    const { message } = seal({ envelope, queue: to, key });
    const file = issueBridgeKeyFile({
      dataDir: folders[receiver],
      edges,
      elsewhere: receiver === "home" ? REMOTE : HERE,
    });
    const rings = [
      issueKeys({ dataDir: folders[receiver], edges, agents: [to] }),
      issueKeys({ dataDir: folders[receiver], edges, agents: ["surgeon"] }),
      Keyring.fromJson(readFileSync(file, "utf8")),
    ];
    for (const keyring of rings)
      expect(open({ message, queue: to, jobId: envelope.meta.message_id, keyring }).envelope).toEqual(
        envelope,
      );
  }
});

test("neither side can sign as the other, with all that it holds", async () => {
  const { edges, ...folders } = await exchangeKeys();
  for (const [from, to, sender, receiver] of CROSSING) {
    const signed = issueKeys({ dataDir: folders[sender], edges, agents: [from] }).signing(from, to).key_id;
    const everyone = [...REMOTE, ...HERE, "gateway", "surgeon", "console"];
    const all = issueKeys({ dataDir: folders[receiver], edges, agents: everyone });
    expect(all.find(signed)).toMatchObject({ alg: "EdDSA", signing: undefined });
    const held =
      readFileSync(crossingFile.imported(folders[receiver]), "utf8") + readFileSync(fileFrom(sender), "utf8");
    expect(held).not.toMatch(/"(?:private|secret)"/);
  }
});

test("a gateway and a surgeon at home go on sealing for agents at home", async () => {
  const { far, edges } = await exchangeKeys();
  for (const from of ["gateway", "surgeon"]) {
    const key = issueKeys({ dataDir: far, edges, agents: [from] }).signing(from, "abroad-appraise");
    expect(key.key_id).toBe(`${from}>abroad-appraise#1`);
    const keyring = issueKeys({ dataDir: far, edges, agents: ["abroad-appraise"] });
    const envelope = envelopeFrom(from, "abroad-appraise");
    const { message } = seal({ envelope, queue: "abroad-appraise", key });
    expect(() =>
      open({ message, queue: "abroad-appraise", jobId: envelope.meta.message_id, keyring }),
    ).not.toThrow();
  }
});

const master = createMaster();
const pair = (from: string, to: string, generation = 7_000_001): KeyRecord =>
  deriveEdgeKeyPair({ master, from, to, generation });
const half = (from: string, to: string, generation?: number): KeyRecord => {
  const { private: _private, ...rest } = pair(from, to, generation) as Extract<KeyRecord, { alg: "EdDSA" }>;
  return { ...rest, use: "verify" };
};

test.each([
  ["of two agents at home", () => half("abroad-report", "abroad-intake")],
  ["of an edge that leaves home", () => half("abroad-intake", "abroad-appraise")],
  ["of two agents of the peer", () => half("abroad-appraise", "abroad-archive")],
  ["to the ward here", () => half("abroad-archive", "ward")],
  ["of the console", () => half("console", "ward")],
  ["of the surgeon to the ward", () => half("surgeon", "ward")],
  ["of an edge that no team declares", () => half("abroad-appraise", "abroad-report")],
  ["to sign with", () => pair("abroad-archive", "abroad-report")],
  [
    "that is a shared secret",
    (): KeyRecord => ({
      ...deriveEdgeKey({ master, from: "abroad-archive", to: "abroad-report", generation: 1 }),
      use: "verify",
    }),
  ],
])("a file with a key %s plants nothing, nor what else it holds", async (_what, planted) => {
  const { home } = await exchangeKeys();
  const before = readFileSync(crossingFile.imported(home), "utf8");
  const handed: { keys: KeyRecord[] } = JSON.parse(readFileSync(fileFrom("far"), "utf8"));
  const keys = [...handed.keys, half("abroad-archive", "abroad-report"), planted()];
  writeFileSync(fileFrom("far"), JSON.stringify({ ...handed, keys }));
  await expect(importCrossing(fileFrom("far"), { dataDir: be("home"), replace: true })).rejects.toThrow(
    expect.objectContaining({ code: "COMMAND_REFUSED" }),
  );
  expect(readFileSync(crossingFile.imported(home), "utf8")).toBe(before);
});

test("no other key takes the place of a known one, unless it is said to", async () => {
  const { home } = await exchangeKeys();
  const handed: { keys: KeyRecord[] } = JSON.parse(readFileSync(fileFrom("far"), "utf8"));
  const known = handed.keys.find(({ from }) => from === "abroad-archive");
  const generation = Number(known?.key_id.split("#")[1]);
  const keys = [half("abroad-archive", "abroad-report", generation)];
  writeFileSync(fileFrom("far"), JSON.stringify({ ...handed, keys }));
  const dataDir = be("home");
  await expect(importCrossing(fileFrom("far"), { dataDir })).rejects.toThrow(
    expect.objectContaining({ code: "COMMAND_REFUSED", remedy: expect.stringContaining("--replace") }),
  );
  await importCrossing(fileFrom("far"), { dataDir, replace: true });
  expect(readFileSync(crossingFile.imported(home), "utf8")).toContain(
    JSON.stringify(keys[0]).slice(-60, -18),
  );
});

test("what was made for another cluster, or by one that is no peer, is refused", async () => {
  await exchangeKeys();
  const handed: object = JSON.parse(readFileSync(fileFrom("far"), "utf8"));
  for (const more of [{ peer: "elsewhere" }, { cluster: "stranger" }, { version: 1 }, { keys: "none" }]) {
    writeFileSync(fileFrom("far"), JSON.stringify({ ...handed, ...more }));
    await expect(importCrossing(fileFrom("far"), { dataDir: be("home") })).rejects.toThrow();
  }
  await expect(importCrossing(join(folder, "none.json"), { dataDir: be("home") })).rejects.toThrow(
    expect.objectContaining({ code: "COMMAND_REFUSED" }),
  );
  await expect(cross("nowhere", { dataDir: be("home") })).rejects.toThrow(
    expect.objectContaining({ code: "COMMAND_REFUSED" }),
  );
});

test("shared secrets that an earlier release imported go on working, with a warning", async () => {
  const edges = edgesOf(await loadTeams(TEAMS));
  const far = be("far");
  const shared = [
    {
      ...deriveEdgeKey({ master, from: "abroad-intake", to: "abroad-appraise", generation: 1 }),
      use: "verify",
    },
    deriveEdgeKey({ master, from: "abroad-archive", to: "abroad-report", generation: 1 }),
  ];
  writeSecret(crossingFile.imported(far), JSON.stringify({ version: 1, keys: shared }));
  expect(
    issueKeys({ dataDir: far, edges, agents: ["abroad-archive"] }).signing("abroad-archive", "abroad-report"),
  ).toMatchObject({ alg: "HS256" });
  expect(
    issueKeys({ dataDir: far, edges, agents: ["abroad-appraise"] }).find("abroad-intake>abroad-appraise#1"),
  ).toBeDefined();
  issueBridgeKeyFile({ dataDir: far, edges, elsewhere: HERE });
  expect(printed).toContain("shared secrets");
});

test("a bridge can verify what crosses and write dead messages down, and can forge nothing", async () => {
  const { home, edges } = await exchangeKeys();
  const file = issueBridgeKeyFile({ dataDir: home, edges, elsewhere: REMOTE });
  const keyring = Keyring.fromJson(readFileSync(file, "utf8"));
  for (const { from, to } of edges) {
    const isAllowed = to === "ward" && REMOTE.includes(from);
    if (isAllowed) expect(keyring.signing(from, to).to).toBe("ward");
    else
      expect(() => keyring.signing(from, to)).toThrow(
        expect.objectContaining({ code: "ENVELOPE_SIGNING_KEY_MISSING" }),
      );
  }
  for (const agent of HERE) expect(keyring.find(`${agent}>ward#1`)).toBeUndefined();
});
