import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createFirst, Keyring, open, seal } from "#shared/envelope";
import { edgesOf, loadTeams } from "#shared/runtime";
import { issueKeys } from "../launcher/key-files.ts";
import { cross, importCrossing, issueBridgeKeyFile } from "./crossing-keys.ts";

const TEAMS = "tests/crash-points/bridge-teams";
const REMOTE = ["abroad-appraise", "abroad-archive"];
const HERE = ["abroad-intake", "abroad-report"];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "suture-crossing-"));
  vi.stubEnv("SUTURE_TEAMS", TEAMS);
  vi.stubEnv("SUTURE_BRIDGE_CLUSTER", "home");
  vi.stubEnv(
    "SUTURE_BRIDGE_PEERS",
    JSON.stringify([
      { cluster: "far", url: "https://far.example.org", secrets: ["A".repeat(43)], agents: REMOTE },
    ]),
  );
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function crossTheKeys(): Promise<{ home: string; far: string; edges: ReturnType<typeof edgesOf> }> {
  const [home, far] = [join(folder, "home"), join(folder, "far")];
  const file = join(folder, "crossing.json");
  await cross("far", { dataDir: home, out: file });
  importCrossing(file, { dataDir: far });
  return { home, far, edges: edgesOf(await loadTeams(TEAMS)) };
}

test("the far side opens what the home has sealed for it, and the home what comes back, under masters of their own", async () => {
  const { home, far, edges } = await crossTheKeys();
  for (const [from, to, ours, theirs] of [
    ["abroad-intake", "abroad-appraise", home, far],
    ["abroad-archive", "abroad-report", far, home],
    ["surgeon", "abroad-appraise", home, far],
  ] as const) {
    const envelope = createFirst({
      from: `${from}@1`,
      to: `${to}@1`,
      contract: "abroad.order@1",
      payload: { task: "t" },
      traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    });
    const key = issueKeys({ dataDir: ours, edges, agents: [from] }).signing(from, to);
    const { message } = seal({ envelope, queue: to, key });
    const keyring = issueKeys({ dataDir: theirs, edges, agents: [to] });
    expect(open({ message, queue: to, jobId: envelope.meta.message_id, keyring }).envelope).toEqual(envelope);
  }
});

test("only edges that cross are handed out, and neither master", async () => {
  await crossTheKeys();
  const text = readFileSync(join(folder, "crossing.json"), "utf8");
  const { keys }: { keys: { from: string; to: string }[] } = JSON.parse(text);
  expect(keys.length).toBeGreaterThan(0);
  for (const { from, to } of keys) {
    expect(REMOTE.includes(from)).not.toBe(REMOTE.includes(to));
    expect(to).not.toBe("ward");
  }
  expect(text).not.toContain(readFileSync(join(folder, "home", "keys", "master"), "utf8").trim());
});

test("a bridge can verify what crosses and write dead letters down, and can forge nothing", async () => {
  const { home, edges } = await crossTheKeys();
  const file = issueBridgeKeyFile({ dataDir: home, edges, elsewhere: REMOTE });
  const keyring = Keyring.fromJson(readFileSync(file, "utf8"));
  expect(keyring.find("abroad-intake>abroad-appraise#1")).toBeDefined();
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

test("nothing is written for a cluster that nobody knows, and no file imported that holds no keys", async () => {
  await expect(cross("nowhere", { dataDir: folder })).rejects.toThrow(
    expect.objectContaining({ code: "COMMAND_REFUSED" }),
  );
  expect(() => importCrossing(join(folder, "none.json"), { dataDir: folder })).toThrow(
    expect.objectContaining({ code: "COMMAND_REFUSED" }),
  );
});
