import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { createTestSystem } from "#shared/testing";
import coderTeam from "../services/agents/coder/team.ts";
import { spawnAgents, whenGone } from "./support/agent-process.ts";
import { startModelEndpoint } from "./support/model-endpoint.ts";

/**
 * The verifier's worker is killed while the project's tests run: nothing of it goes on, nothing of it stays, and
 * the run ends as it would have.
 */

const SOURCE = "export const add = (a, b) => a - b;\n";
// Long enough to be caught at it; what kills it is a kill, not this bound.
const TESTS = `import assert from "node:assert/strict";
import { test } from "node:test";
import { add } from "../src/add.js";
test("adds", () => assert.equal(add(1, 2), 3));
const until = Date.now() + (add(1, 2) === 3 ? 3000 : 0);
while (Date.now() < until);
`;

function openFolders(): { readonly checkouts: string; readonly dataDir: string } {
  const base = mkdtempSync(join(tmpdir(), "suture-coder-crash-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const files = { "package.json": '{"type":"module"}', "src/add.js": SOURCE, "test/add.test.js": TESTS };
  for (const [path, text] of Object.entries(files)) {
    const place = join(base, "checkouts/adder", path);
    mkdirSync(join(place, ".."), { recursive: true });
    writeFileSync(place, text);
  }
  return { checkouts: join(base, "checkouts"), dataDir: join(base, "data") };
}

/** The process group that runs the tests of the right diff in a scratch copy; null while there is none. */
function findTrial(scratch: string): number | null {
  if (!existsSync(scratch)) return null;
  for (const name of readdirSync(scratch)) {
    try {
      const folder = join(scratch, name);
      const { group } = JSON.parse(readFileSync(join(folder, "owner.json"), "utf8")) as {
        group: { pid: number } | null;
      };
      if (group !== null && readFileSync(join(folder, "work/src/add.js"), "utf8").includes("a + b"))
        return group.pid;
    } catch {
      // Half written, or just removed: there is a next time.
    }
  }
  return null;
}

function isAlive(group: number): boolean {
  try {
    process.kill(-group, 0);
    return true;
  } catch {
    return false;
  }
}

it("leaves no process and no copy behind when the verifier's worker is killed, and ends with the fix all the same", async () => {
  const { checkouts, dataDir } = openFolders();
  const system = createTestSystem(coderTeam);
  const endpoint = await startModelEndpoint([coderTeam]);
  onTestFinished(() => endpoint.close());
  const work = {
    agents: ["planner", "explorer", "patcher", "verifier"],
    prefix: system.store.keys.prefix,
    keyring: system.keyring,
    modelUrl: endpoint.url,
    sandboxUrl: endpoint.url,
    env: { SUTURE_CHECKOUTS: checkouts, SUTURE_DATA_DIR: dataDir },
  };
  const worker = spawnAgents(work);
  const task = { checkout: "adder", issue: "`add` takes away." };
  const { runId } = await system.submit(task, { hopsMax: 24, ttlMs: 600_000 });
  const scratch = join(dataDir, "scratch");
  const group = await vi.waitFor(() => findTrial(scratch) ?? Promise.reject(new Error("no trial yet")), {
    timeout: 150_000,
    interval: 20,
  });
  expect(isAlive(group)).toBe(true);
  worker.kill("SIGKILL");
  await whenGone(worker);
  await vi.waitFor(() => expect(isAlive(group)).toBe(false), { timeout: 60_000, interval: 50 });
  expect(readdirSync(scratch)).toHaveLength(1);
  spawnAgents(work);
  await vi.waitFor(
    async () =>
      expect(await system.store.runs.get(runId)).toMatchObject({
        status: "completed",
        result: { tests: { failed: 0 }, proof: { repeats: 3 } },
      }),
    { timeout: 180_000, interval: 100 },
  );
  await vi.waitFor(() => expect(readdirSync(scratch)).toEqual([]), { timeout: 60_000 });
  expect(readFileSync(join(checkouts, "adder/src/add.js"), "utf8")).toBe(SOURCE);
}, 600_000);
